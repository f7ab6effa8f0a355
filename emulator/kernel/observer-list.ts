/** Those who look on, by what they want to see. */
export interface ObserversOf<Events> {
  /** Those with a method for this kind of event; who comes later is in the same list. */
  of<Kind extends keyof Events>(kind: Kind): readonly Pick<Events, Kind>[];
}

/** Passes each event on to those who have a method for it, in the order in which they were added. */
export class ObserverList<Events> implements ObserversOf<Events> {
  readonly #all: Partial<Events>[] = [];
  readonly #byKind = new Map<keyof Events, Partial<Events>[]>();

  add(observer: Partial<Events>): void {
    this.#all.push(observer);
    for (const [kind, list] of this.#byKind) if (observer[kind] !== undefined) list.push(observer);
  }

  of<Kind extends keyof Events>(kind: Kind): readonly Pick<Events, Kind>[] {
    const known = this.#byKind.get(kind);
    const list = known ?? this.#all.filter((each) => each[kind] !== undefined);
    if (known === undefined) this.#byKind.set(kind, list);
    return list as Pick<Events, Kind>[];
  }
}
