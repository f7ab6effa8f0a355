import { readProgram } from '../../../switch/ir/lowering/read-program';
import { ProgramState } from '../../../switch/state/program-state';
import type { PipelineControl, SwitchControl } from '../../../switch/control/table-control';

/** A switch of state alone: it loads programs and keeps tables, and no packet ever passes. */
export class StateSwitch implements SwitchControl {
  pipeline: PipelineControl | undefined;
  /** Number of times that a program was loaded. */
  loads = 0;

  verifyProgram(json: string): void {
    readProgram(json);
  }

  loadProgram(json: string): void {
    this.pipeline = new ProgramState(readProgram(json));
    this.loads++;
  }
}
