import { V1ModelSwitch } from '../v1model/v1model-switch';

/** A switch that can say which program it runs, for those who ask for the text. */
export class RecordedSwitch extends V1ModelSwitch {
  #json = '';

  /** The BMv2 JSON that runs; empty when none does. */
  get json(): string {
    return this.#json;
  }

  override loadProgram(json: string): void {
    super.loadProgram(json);
    this.#json = json;
  }
}
