import { InputError } from '../../../common/errors';
import { executorFactory } from '../../../switch/codegen/executors';
import { readProgram } from '../../../switch/ir/lowering/read-program';
import { V1ModelSwitch } from '../../../switch/v1model/v1model-switch';
import { DocumentEdits } from '../document-edits';
import { smallPrograms } from '../programs';
import { readOrRefused } from '../target';
import type { FuzzTarget } from '../target';

/** From this number on it is that of no program: the rest is the text itself. */
const AS_TEXT = 0xfe;

const EMPTY = '{"__meta__":{"version":[2,23]},"parsers":[]}';

/**
 * One byte says which program is changed, and by its parity what runs it; the others are changes of it.
 * An input with both is two inputs: loading takes most of the time.
 */
export const target: FuzzTarget = {
  about: 'programs (BMv2 JSON): reading, refusing and loading them',
  bytesMax: 64,
  // As many for each of the two that run programs.
  inSuite: 300,
  seeds: () => [
    ...smallPrograms().map((_, i) => Uint8Array.from([2 * i])),
    ...smallPrograms().map((_, i) => Uint8Array.from([2 * i + 1, 0, 40 + i, i, 1, 0, 90, i, 7])),
    ...[AS_TEXT, AS_TEXT + 1].map((which) => Uint8Array.from([which, ...Buffer.from(EMPTY)])),
  ],
  start: () => {
    const programs = smallPrograms().map((text) => new DocumentEdits(text));
    const [generated, interpreter] = [executorFactory('generated'), executorFactory('interpreter')];
    return (input) => {
      const [which = 0] = input;
      const rest = input.subarray(1);
      const program = programs[(which >> 1) % programs.length];
      const text = which >= AS_TEXT ? Buffer.from(rest).toString() : program?.edited(rest);
      if (text === undefined || readOrRefused(() => readProgram(text), InputError) === undefined)
        return;
      const output = { transmit: () => undefined, schedulePort: () => undefined };
      const executor = which % 2 === 0 ? generated : interpreter;
      const device = new V1ModelSwitch({ ports: [{ port: 1, rate: 1e10 }], output, executor });
      readOrRefused(() => {
        device.loadProgram(text);
        return true;
      }, InputError);
    };
  },
};
