// Latest wins: at most one request in flight and one waiting; a newer one replaces the one that waits.

export class Latest<Wanted> {
  readonly #send: (wanted: Wanted) => Promise<void>;
  #waiting: { wanted: Wanted } | null = null;
  #busy = false;

  /** `send` settles when the request has been answered and its answer used; it must not reject. */
  constructor(send: (wanted: Wanted) => Promise<void>) {
    this.#send = send;
  }

  /** Whether a request is in flight or waiting. */
  get busy(): boolean {
    return this.#busy;
  }

  request(wanted: Wanted): void {
    if (this.#busy) {
      this.#waiting = { wanted };
      return;
    }
    this.#busy = true;
    void this.#run(wanted);
  }

  async #run(first: Wanted): Promise<void> {
    let next: { wanted: Wanted } | null = { wanted: first };
    while (next !== null) {
      await this.#send(next.wanted);
      next = this.#waiting;
      this.#waiting = null;
    }
    this.#busy = false;
  }
}
