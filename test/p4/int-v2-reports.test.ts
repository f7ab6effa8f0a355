import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { runStf } from '../../switch/stf/run/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { describeIf } from '../support/requires';
import {
  COLLECTOR_PORT,
  dropTest,
  dropWindowTest,
  exemptTest,
  exportTest,
  instructionsTest,
  limitsTest,
  mxTest,
  queueTest,
  REPORTS_SET_UP,
  sinkTest,
  sourceAndSinkTest,
  windowTest,
} from './support/int-v2-reports';
import { UDP_PACKET, frameOf } from './support/int-v2-packet';
import { ProfileOnSwitch } from './support/profile-on-switch';
import { outcomeOf, profileJson, profilePath } from './support/profile-tests';

/** Telemetry reports of the profile int-v2 against frames that are computed from the specification. */
const PROFILE = 'int-v2';
const TESTS: readonly (readonly [string, string])[] = [
  ['sinks of INT-MD report the stack', sinkTest()],
  ['a switch that is source and sink reports its hop', sourceAndSinkTest()],
  ['reports answer every instruction', instructionsTest()],
  ['every node of INT-MX reports', mxTest()],
  ['INT-XD leaves packets alone and samples', exportTest()],
  ['drops are reported with their reason', dropTest()],
  ['queues have thresholds and quotas', queueTest()],
  ['reports on their way are not reported', exemptTest()],
  ['a flow is reported once in a window', windowTest()],
  ['a drop is reported once in a window', dropWindowTest()],
  ['what is not available has no bit', limitsTest()],
];

describe.each([...EXECUTORS])('telemetry reports on the executor %s', (_name, executor) => {
  test.each(TESTS)('%s', (name, text) => {
    const json = profileJson(PROFILE);
    const target = new EmbeddedTarget(json, executor);
    expect(outcomeOf(runStf(parseStf(text, name), readOutline(json), target))).toBe('pass');
  });
});

/** Reports of a burst on a switch whose queues and clock are counted in bytes and units. */
function burstReports(settings: string, bursts: number): number {
  const setUp = REPORTS_SET_UP.map((line) =>
    line.replace('queue_unit_bytes:0, clock_unit_ns:0', 'queue_unit_bytes:1, clock_unit_ns:1'),
  );
  const device = new ProfileOnSwitch(
    PROFILE,
    [...setUp, 'set_queue_rate 1000 2', settings].join('\n'),
  );
  const bytes = frameOf(UDP_PACKET, { ttl: 64, destination: 2 });
  const burst = Array.from({ length: 6 }, () => ({ port: 1, bytes }));
  let reports = 0;
  for (let i = 0; i < bursts; i++) {
    reports += device.through(burst).filter(({ port }) => port === COLLECTOR_PORT).length;
  }
  return reports;
}

test('each congestion of a queue has its own quota, and ends with an empty queue', () => {
  const reports =
    'setdefault report_settings set_reports(clone_session:7, shift:0, latency_shift:0)';
  const queue = (bytes: number, latencyNs: number, quota: number): string =>
    `${reports}\nadd watched_queue standard_metadata.egress_port:2 watch_queue(queue_bytes:${bytes}, ` +
    `latency_ns:${latencyNs}, quota:${quota}, instructions:0x3000)`;
  const never = 0xffff_ffff;
  expect(burstReports(queue(1, never, 2), 1)).toBe(2);
  expect(burstReports(queue(1, never, 2), 3)).toBe(6);
  // Nothing is behind the first, which leaves at once, and behind the last.
  expect(burstReports(queue(1, never, 100), 1)).toBe(4);
  expect(burstReports(queue(never, 1, 100), 1)).toBeGreaterThan(3);
  expect(burstReports(queue(never, never, 100), 1)).toBe(0);
});

test('a flow whose latency changes by more than a step is reported again in the same window', () => {
  const flow = (latencyShift: number): string =>
    `setdefault report_settings set_reports(clone_session:7, shift:40, latency_shift:${latencyShift})\n` +
    'add watch_ipv4 1 protocol:17 export_int(instructions:0x2000, domain_id:0, ds_instructions:0, ' +
    'interval:1, slot:0)';
  expect(burstReports(flow(31), 2)).toBe(1);
  expect(burstReports(flow(0), 1)).toBeGreaterThan(3);
});

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'telemetry reports on bmv2', lack, () => {
  test.concurrent.each(TESTS)(
    '%s',
    async (name, text) => {
      const program = { path: profilePath(PROFILE), json: profileJson(PROFILE) };
      expect(outcomeOf(await runStfOnBmv2(program, parseStf(text, name)))).toBe('pass');
    },
    180_000,
  );
});
