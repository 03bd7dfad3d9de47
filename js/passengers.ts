/** What lives in a wasm instance, and has to leave it for the next one when the instance breaks. */

/** An object of ours that holds something in an instance. */
export interface Passenger {
  /**
   * Takes with it what it can carry, and lets go of everything in the instance. It may be asked again when it throws.
   * @param memory that of the instance
   */
  leave(memory: WebAssembly.Memory): void;
}

/** A passenger, for as long as somebody has it. */
export interface Seat {
  deref(): Passenger | undefined;
}

/** Where an engine has no weak references nothing is collected, and what is not freed stays in wasm memory, too. */
const seatOf = (passenger: Passenger): Seat =>
  typeof WeakRef === "undefined" ? { deref: () => passenger } : new WeakRef(passenger);

/** Everyone in an instance. */
export class Passengers {
  readonly #seats = new Set<Seat>();
  readonly #left =
    typeof FinalizationRegistry === "undefined"
      ? undefined
      : new FinalizationRegistry((seat: Seat) => this.#seats.delete(seat));

  board(passenger: Passenger): Seat {
    const seat = seatOf(passenger);
    this.#seats.add(seat);
    this.#left?.register(passenger, seat, seat);
    return seat;
  }

  /** The seat of one that will not be used any more is free. */
  alight(seat: Seat | undefined): void {
    if (seat === undefined) return;
    this.#seats.delete(seat);
    this.#left?.unregister(seat);
  }

  *[Symbol.iterator](): Generator<Passenger> {
    for (const seat of this.#seats) {
      const passenger = seat.deref();
      if (passenger !== undefined) yield passenger;
    }
  }
}
