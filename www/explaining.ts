// The engine's explanation of the token that the page speaks of, asked for where a sentence needs its numbers.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Explanation } from "nucleus-sampler";
import type { EngineClient } from "./engine/client";
import { Latest } from "./engine/latest";
import type { Picture } from "./playground";
import { isExplained } from "./why";

/** An answer with what was asked; null where the engine had none. */
export interface Explained {
  readonly picture: Picture;
  readonly token: number;
  readonly explanation: Explanation | null;
}

type Question = Omit<Explained, "explanation">;

export class Explaining {
  readonly answer: Signal<Explained | null> = signal(null);
  readonly #client: EngineClient;
  readonly #picture: ReadonlySignal<Picture | null>;
  readonly #questions: Latest<Question>;

  constructor(
    client: EngineClient,
    picture: ReadonlySignal<Picture | null>,
    subject: ReadonlySignal<number | null>,
  ) {
    this.#client = client;
    this.#picture = picture;
    this.#questions = new Latest((question) => this.#ask(question));
    effect(() => {
      const [shown, token] = [picture.value, subject.value];
      if (shown !== null && token !== null && isExplained(shown, token))
        this.#questions.request({ picture: shown, token });
    });
  }

  async #ask(question: Question): Promise<void> {
    const explanation = await this.#client.explain(question.token).catch(() => null);
    // The worker explains the picture that it made last: an answer to an older one is of no use.
    if (this.#picture.peek() === question.picture) this.answer.value = { ...question, explanation };
  }
}
