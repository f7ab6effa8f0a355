import { RoleJudge } from '../../../../../common/telemetry/judge/roles';
import type { JudgedRole } from '../../../../../common/telemetry/judge/roles';
import type { AnyLayer } from '../../../../../common/telemetry/craft/layer';
import { FAULT_SETTINGS, craft, edit, patched } from '../../../../support/judge/fault';
import type { Layers } from '../../../../support/judge/fault';
import { plain, withInt } from '../../../../support/judge/int-frames';
import { reportOf } from '../../../../support/judge/report-faults';

/** Choices that the specification of INT 2.1 leaves to a node: none of them may fail. */

const md = (fields: object): AnyLayer => ({ kind: 'int-md', ...fields });

const failures = (role: JudgedRole, sent: Layers, returned: Layers): string[] =>
  new RoleJudge(role, FAULT_SETTINGS)
    .judge({ sent: craft(sent), returned: [craft(returned)] })
    .flatMap(({ clause, verdict }) => (verdict === 'fail' ? [clause] : []));

test.each([
  ['reserved instructions', { instructionBitmap: 0x8040, hopWords: 2, hops: [] }],
  ['a domain', { instructionBitmap: 0x8000, domainId: 7, dsInstruction: 1, hopWords: 2, hops: [] }],
])('a transit hop may leave %s alone', (_what, fields) => {
  const before = withInt('udp', md({ ...fields, remainingHops: 8 }), { ttl: 64 });
  const after = withInt('udp', md({ ...fields, remainingHops: 8 }));
  expect(failures('transit', before, after)).toEqual([]);
  const counted = withInt('udp', md({ ...fields, remainingHops: 7 }));
  expect(failures('transit', before, counted)).toEqual(['remaining-hop-count-decremented']);
});

test('a transit hop may update the checksum instead of a complement, which is all ones then', () => {
  const asked = { instructionBitmap: 0x8001, hopWords: 2 };
  const before = withInt('udp', md({ ...asked, remainingHops: 8, hops: [] }), { ttl: 64 });
  const pushed = (checksumComplement: number): Layers =>
    withInt('udp', md({ ...asked, remainingHops: 7, hops: [{ nodeId: 2, checksumComplement }] }));
  expect(failures('transit', before, pushed(0xffff_ffff))).toEqual([]);
  expect(failures('transit', before, pushed(0))).toEqual(['transit-complement-leaves-checksum']);
});

test('a transit hop may clear a reserved bit of the shim, and must not set one', () => {
  const int = md({ remainingHops: 0, hopLimitExceeded: true, hops: [] });
  const before = withInt('udp', int, { ttl: 64 });
  const after = withInt('udp', int);
  const reserved = (layers: Layers): Layers => edit(layers, 'int-shim', patched(0, '11'));
  expect(failures('transit', reserved(before), after)).toEqual([]);
  expect(failures('transit', reserved(before), reserved(after))).toEqual([]);
  expect(failures('transit', before, reserved(after))).toEqual(['transit-shim-reserved-unchanged']);
});

test('packets of another version are not judged', () => {
  const other = md({ instructionBitmap: 0x8000, hopWords: 1, hops: [], ...patched(0, '50') });
  const changed = [...withInt('udp', other).slice(0, -1), { kind: 'payload', text: 'abce' }];
  expect(failures('transit', withInt('udp', other), changed)).toEqual([]);
});

test('a source need not keep the DSCP, and may be the only hop', () => {
  const int = md({ remainingHops: 0, hops: [{ nodeId: 7 }] });
  const added = edit(withInt('udp', int), 'int-shim', { originalDscp: 0 });
  expect(failures('source', plain('udp', { ttl: 64 }), added)).toEqual([]);
});

test('a sink may leave the DSCP of INT, and must not make another of it', () => {
  const sent = withInt('udp', md({ hops: [] }), { ttl: 64 });
  expect(failures('sink', sent, plain('udp', { dscp: 0x17 }))).toEqual([]);
  expect(failures('sink', sent, plain('udp', { dscp: 0 }))).toEqual(['sink-dscp-restored']);
  expect(failures('sink', sent, withInt('udp', md({ hops: [] })))).toEqual(['sink-int-removed']);
});

test.each([undefined, 94])(
  'a sink may report the stack with its own metadata, cut at %p',
  (cut) => {
    const hop = { nodeId: 1, hopLatency: 4, ingressTimestamp: 10, egressTimestamp: 20 };
    const before = craft(withInt('udp', md({ remainingHops: 8, hops: [hop] }), { ttl: 64 }));
    const failing = (nodeId: number, remainingHops: number): string[] => {
      const int = md({ remainingHops, hops: [hop, { ...hop, nodeId }] });
      const after = craft(withInt('udp', int));
      const report = reportOf(before, { inner: after, ...(cut !== undefined && { cut }) });
      return new RoleJudge('sink', FAULT_SETTINGS)
        .judge({ sent: before, returned: [craft(plain('udp'))], reports: [report] })
        .flatMap(({ clause, verdict }) => (verdict === 'fail' ? [clause] : []));
    };
    expect(failing(2, 7)).toEqual([]);
    expect(failing(2, 8)).toEqual(['report-has-packet-as-it-came']);
  },
);
