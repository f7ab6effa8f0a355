import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import { toHex } from '../support/hex';
import { ROUTES } from './support/profile-set-ups';
import { frameOf } from './support/telemetry-packet';

const JSON_TEXT = fs.readFileSync(path.join(p4ArtifactFolder(), 'hpcc-ccm.json'), 'utf8');

const FRAME = frameOf({
  family: 4,
  transport: 'udp',
  optionWords: 0,
  dscp: 0,
  payload: new Uint8Array(100),
  telemetry: { set: 'base', hops: 0, remainingHops: 4, flags: 0, dsFlags: 0, originalDscp: 0 },
});
const BYTES = FRAME.length;

/** One port, windows of 2^20 ns, a little more than 1 ms. */
const SET_UP = [
  ...ROUTES,
  'setdefault coordination_settings set_coordination(mode:2, ar_id:7, clock_unit_ns:1000, ' +
    'pin_age_ns:1000000000, flowlet_gap_ns:0, interval_ns:0, clone_session:5)',
  'setdefault load_settings set_load_window(shift:20)',
  'add candidates arrival:0 hdr.ipv4.dst_addr:0x0a000002 set_candidates(shortest:8, port_0:2, ' +
    [1, 2, 3, 4, 5, 6, 7].map((slot) => `port_${slot}:511`).join(', ') +
    ')',
];

const PACKET = `packet 1 ${toHex(FRAME)}`;

/** Checks the register of a port's load: number of the window, bytes before, bytes in it. */
const load = (window: number, before: number, now: number): string =>
  `check_register port_loads(2) == ${
    (BigInt(window & 0xff) << 56n) | (BigInt(before) << 28n) | BigInt(now)
  }`;

/** The embedded switch begins at one second. */
const FIRST_WINDOW = Math.floor(1e9 / 2 ** 20);

describe.each([...EXECUTORS])('loads on the executor %s', (_name, executor) => {
  const run = (...statements: readonly string[]): unknown => {
    const stf = parseStf([...SET_UP, ...statements].join('\n'), 'windows.stf');
    const verdict = runStf(stf, readOutline(JSON_TEXT), new EmbeddedTarget(JSON_TEXT, executor));
    return verdict.kind === 'fail' ? verdict.difference : verdict.kind;
  };

  test('are counted by window; the window before is kept, an older one forgotten', () => {
    const verdict = run(
      PACKET,
      PACKET,
      'expect 2 *',
      'expect 2 *',
      load(FIRST_WINDOW, 0, 2 * BYTES),
      'wait 1 ms',
      PACKET,
      'expect 2 *',
      load(FIRST_WINDOW + 1, 2 * BYTES, BYTES),
      'wait 3 ms',
      PACKET,
      'expect 2 *',
      load(FIRST_WINDOW + 4, 0, BYTES),
    );
    expect(verdict).toBe('pass');
  });

  test('wrap from window 255 to 0', () => {
    const windows = 256 - (FIRST_WINDOW & 0xff);
    const verdict = run(
      `wait ${(windows - 1) * 1048576} ns`,
      PACKET,
      'expect 2 *',
      load(255, 0, BYTES),
      'wait 1048576 ns',
      PACKET,
      'expect 2 *',
      load(0, BYTES, BYTES),
    );
    expect(verdict).toBe('pass');
  });
});
