import { InputError } from '../../../common/errors';
import { P4Info } from '../../../common/p4runtime/generated/p4/config/v1/p4info';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import type { P4InfoFormat } from '../../../common/p4runtime/load-p4info';
import { readProgram } from '../../../switch/ir/lowering/read-program';
import { dataPlaneIndex } from '../../../switch/server/pipeline/data-plane-widths';
import { checkP4Info } from '../../../switch/server/pipeline/p4info-check';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../support/p4runtime/externs-program';
import { SAMPLE_P4INFO } from '../../support/p4runtime/sample-program';
import { wordsOf } from '../documents';
import { readOrRefused, holds } from '../target';
import type { FuzzTarget } from '../target';

const FORMATS: readonly P4InfoFormat[] = ['text', 'json', 'binary'];
const TEXTS = [EXTERNS_P4INFO, SAMPLE_P4INFO];

/** Parts of the P4Infos, which are too long for inputs as a whole. */
function parts(): P4Info[] {
  return TEXTS.flatMap((text) => {
    const { tables, actions, actionProfiles, counters, registers } = readText(text);
    const rest = new P4Info({ actionProfiles, counters, registers });
    return [...tables.map((table) => new P4Info({ tables: [table], actions: [] })), rest].concat(
      actions.map((action) => new P4Info({ actions: [action] })),
    );
  });
}

const readText = (text: string): P4Info => parseP4Info(Buffer.from(text), 'text');

/** One byte says which of the formats. */
export const target: FuzzTarget = {
  about: 'P4Info as text, JSON and bytes, up to the comparison with a program',
  bytesMax: 800,
  inSuite: 8_000,
  seeds: () => [
    ...TEXTS.flatMap((text) => text.match(/.{1,700}?\} (?=[a-z]+ \{)/g) ?? []).map((text) =>
      Buffer.concat([Buffer.from([0]), Buffer.from(text)]),
    ),
    ...parts().map((info) => Buffer.concat([Buffer.from([2]), info.serialize()])),
  ],
  dictionary: () => wordsOf(TEXTS),
  start: () => {
    const program = readProgram(EXTERNS_PROGRAM);
    return (input) => {
      const format = FORMATS[(input[0] ?? 0) % FORMATS.length] ?? 'text';
      const info = readOrRefused(() => parseP4Info(input.subarray(1), format), InputError);
      if (info === undefined) return;
      const bytes = info.serialize();
      const again = P4Info.deserialize(bytes).serialize();
      holds(Buffer.compare(bytes, again) === 0, () => 'written and read, it is another');
      readOrRefused(() => {
        checkP4Info(dataPlaneIndex(info, program), program);
        return true;
      }, InputError);
    };
  },
};
