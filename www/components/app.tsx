// The whole page once the engine has answered.

import { CARDS } from "../chain/cards";
import type { ModelGate } from "../models/gate";
import type { Playground } from "../playground";
import { isProblemOf, isProblemOfWhole } from "./card-problem";
import { Chain } from "./chain";
import { Draws } from "./draws";
import { Figure } from "./figure";
import { Footer } from "./footer";
import { Header } from "./header";
import { Headline } from "./headline";
import { Tokens } from "./tokens";

interface AppProps {
  readonly playground: Playground;
  readonly gate: ModelGate;
  address(): string;
}

export function App({ playground, gate, address }: AppProps) {
  const models = gate.part.value;
  return (
    <>
      <Header playground={playground} gate={gate} address={address} />
      <main>
        <Notice playground={playground} />
        {models !== null && <models.ModelPanel playground={playground} gate={gate} />}
        {models === null && <PartProblem gate={gate} />}
        <Headline playground={playground} />
        {models !== null && <models.TextRoom playground={playground} gate={gate} />}
        <div class="rooms">
          <Figure playground={playground} />
          <Draws playground={playground} />
          <Chain playground={playground} />
          <Tokens playground={playground} />
        </div>
      </main>
      <Footer />
    </>
  );
}

/** Why the part of the page that would ask for a model file is not there. */
function PartProblem({ gate }: { gate: ModelGate }) {
  return (
    <p class="message" role="alert">
      {gate.problem.value}
    </p>
  );
}

/** What went wrong with the page, or with the engine where no card is concerned. */
function Notice({ playground }: { playground: Playground }) {
  const notice = playground.notice.value;
  const problem = playground.problem.value;
  const isOnCard =
    problem !== null &&
    (isProblemOfWhole(problem.option) ||
      CARDS.some((card) => isProblemOf(card, problem.option, problem.stage)));
  const text = notice ?? (problem !== null && !isOnCard ? problem.message : null);
  const dismiss = () => {
    playground.notice.value = null;
  };
  return (
    <div class="notice" role="status">
      {text !== null && <p>{text}</p>}
      {notice !== null && (
        <button type="button" class="plain" aria-label="dismiss the notice" onClick={dismiss}>
          ×
        </button>
      )}
    </div>
  );
}
