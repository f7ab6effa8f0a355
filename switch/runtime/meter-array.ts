import { GREEN, Meter, meterCost } from './meter';
import type { Bytes, Instant } from '../../common/units/units';
import type { MeterControl, MeterSettings } from '../control/program-control';
import type { Colour } from './meter';

/** A P4 meter array. Its cells are made when they are first configured. */
export class MeterArray implements MeterControl {
  readonly #cells: (Meter | undefined)[] = [];

  constructor(
    readonly name: string,
    readonly size: number,
    readonly unit: 'packets' | 'bytes',
  ) {}

  settings(index: number): MeterSettings | undefined {
    return this.#cells[index]?.settings;
  }

  configure(index: number, settings: MeterSettings | undefined): void {
    if (!this.#has(index)) return;
    const cell = (this.#cells[index] ??= new Meter());
    cell.configure(settings);
  }

  /** The colour of a packet; undefined outside the array. */
  execute(index: bigint | number, now: Instant, length: Bytes): Colour | undefined {
    const cell = Number(index);
    if (!this.#has(cell)) return undefined;
    return this.#cells[cell]?.execute(now, meterCost(this.unit, length)) ?? GREEN;
  }

  #has(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.size;
  }
}
