import type { PortNumber } from '../../../common/units/units';

/** An interface as a port. */
export interface NamedPort {
  readonly port: PortNumber;
  readonly interfaceName: string;
}

/** Remembers which ports are up, and tells what has changed. All begin as up. */
export class PortStates {
  readonly #down = new Set<PortNumber>();

  /**
   * @param changed hears of each port whose link has come up or gone down since the last look; a
   *   port without interface counts as up, because nothing is known of it.
   */
  constructor(
    private readonly isUp: (interfaceName: string) => boolean | undefined,
    private readonly changed: (port: PortNumber, up: boolean) => void,
  ) {}

  look(ports: Iterable<NamedPort>): void {
    const gone = new Set(this.#down);
    for (const { port, interfaceName } of ports) {
      gone.delete(port);
      // What is not known is as it was: a machine without resources has not lost its links.
      this.#set(port, this.isUp(interfaceName) ?? this.up(port));
    }
    for (const port of gone) this.#set(port, true);
  }

  /** Whether the last look saw the port up. */
  up(port: PortNumber): boolean {
    return !this.#down.has(port);
  }

  #set(port: PortNumber, up: boolean): void {
    if (up === this.up(port)) return;
    if (up) this.#down.delete(port);
    else this.#down.add(port);
    this.changed(port, up);
  }
}
