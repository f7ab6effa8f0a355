import { createInterpreter } from '../interpreter/interpreter';
import { readProgram } from '../ir/lowering/read-program';
import { V1ModelDevice } from './v1model-device';
import type { Program } from '../ir/nodes';
import type { SwitchOptions } from './options';

/** A v1model switch that reads programs itself, and interprets them unless it is given another executor. */
export class V1ModelSwitch extends V1ModelDevice {
  constructor(options: SwitchOptions) {
    super({ ...options, executor: options.executor ?? createInterpreter });
  }

  protected readProgram(json: string): Program {
    return readProgram(json);
  }
}
