import { p4cVersion } from '../../../../common/io/p4-compiler';
import { recompiled } from '../../../support/p4runtime/compiled-program';
import { describeIf } from '../../../support/requires';

/** The version whose output is committed; others may order or name things otherwise. */
const MADE_WITH = '1.2.5.16';

const version = p4cVersion();

describeIf(
  version?.startsWith(MADE_WITH) === true,
  'the programs of the P4Runtime suite',
  `needs p4c ${MADE_WITH} on PATH, found ${version ?? 'none'}`,
  () => {
    test.each(['sample', 'externs', 'translated', 'submitted'])(
      '%s is compiled into what is committed',
      (program) => {
        const differing = Object.entries(recompiled(program)).filter(([, [a, b]]) => a !== b);
        expect(differing.map(([file]) => file)).toEqual([]);
      },
    );
  },
);
