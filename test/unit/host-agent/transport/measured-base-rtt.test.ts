import { FEEDBACK_PRESETS } from '../../../../host-agent/feedback/feedback-plan';
import { Random } from '../../../../common/random/random';
import { milliseconds, microseconds, PS_PER_SECOND } from '../../../../common/units/units';
import { MeteredControl } from '../../../../host-agent/traffic/metered-control';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { HPCC_DATA, HPCC_PROBE } from '../../../../common/wire/hpcc/hpcc-transport';
import { parseFrame } from '../../../../host-agent/transport/frames/received-frame';
import type { HostConfig } from '../../../../host-agent/host/host-config';
import { addressOf, flowTo, testHost } from '../../../support/hosts';
import type { PairOptions, Sent } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';

const DELAY = microseconds(2);
/** A full frame there and an acknowledgement back at 100 Gb/s, without any switch. */
const T = 2 * DELAY + (1074 + 74) * 80;
/** Base RTT that the hosts begin with, which is far from the real one. */
const GUESS = microseconds(50);

function pair(
  given: Partial<HostConfig> = {},
  options: Partial<PairOptions> = {},
  rateMax?: number,
) {
  const controls: MeteredControl[] = [];
  const inner = hpccppFactory();
  const config: Partial<HostConfig> = {
    baseRtt: GUESS,
    measureBaseRtt: {},
    ...given,
    congestionControl: (environment) => {
      controls.push(
        new MeteredControl(inner(environment), rateMax === undefined ? {} : { rateMax }),
      );
      return controls.at(-1) as MeteredControl;
    },
  };
  const hosts = [testHost(1, config), testHost(2, config)] as const;
  return { hosts, controls, driver: new PairDriver(hosts, { delay: DELAY, ...options }) };
}

const typeOf = ({ packet }: Sent): number | undefined => {
  const frame = parseFrame(packet, addressOf(2));
  return 'reason' in frame ? undefined : frame.transport.type;
};

const measured = (controls: readonly MeteredControl[]): (number | undefined)[] =>
  controls.map(({ figures }) => figures.baseRttUs).filter((us) => us !== undefined);

describe('a host that measures T', () => {
  it('sends probes until T is known, and then data, with the window of that T', () => {
    const { hosts, controls, driver } = pair();
    hosts[0].startFlow(0, flowTo(2, 1, 200_000));
    expect(driver.run(PS_PER_SECOND)).toBe(true);
    const types = driver.sent.map(typeOf).filter((type) => type !== undefined);
    expect(types.slice(0, 9)).toEqual([...Array<number>(8).fill(HPCC_PROBE), HPCC_DATA]);
    expect(types.slice(8).every((type) => type === HPCC_DATA)).toBe(true);
    expect(measured(controls)).toEqual([T / 1e6]);
    expect(controls.at(-1)?.windowBytes).toBeCloseTo((100e9 * Math.ceil(T / 1000)) / 8e9, 3);
    expect(controls.at(-1)?.pacingRate).toBeCloseTo(100e9, -3);
  });

  it('asks the second flow to the same destination for one probe only', () => {
    const { hosts, driver } = pair();
    hosts[0].startFlow(0, flowTo(2, 1, 1000));
    driver.run(0 + milliseconds(1));
    const before = driver.sent.length;
    hosts[0].startFlow(driver.now, flowTo(2, 2, 1000));
    driver.run(PS_PER_SECOND);
    const types = driver.sent.slice(before).map(typeOf);
    expect(types.filter((type) => type === HPCC_PROBE)).toHaveLength(1);
    expect(driver.events[0].filter(({ kind }) => kind === 'flow-completed')).toHaveLength(2);
  });

  it.each(['ack', 'notification', 'probe'] as const)(
    'delivers a flow whose probes and answers are lost now and then, with telemetry by %s',
    (kind) => {
      const random = new Random(1);
      const network: PairOptions['network'] = (_from, packet) =>
        random.uniform() < 0.3 ? undefined : packet;
      const feedback = FEEDBACK_PRESETS[kind];
      const { hosts, controls, driver } = pair({ feedback }, { network });
      hosts[0].startFlow(0, flowTo(2, 1, 20_000));
      expect(driver.run(PS_PER_SECOND)).toBe(true);
      expect(driver.events[0].at(-1)?.kind).toBe('flow-completed');
      expect(measured(controls)).toEqual([T / 1e6]);
    },
  );

  it('begins while nobody answers with probes alone, further and further apart', () => {
    const { hosts, driver } = pair({}, { network: () => undefined });
    hosts[0].startFlow(0, flowTo(2, 1, 1000));
    driver.run(0 + milliseconds(100));
    const gaps = driver.sent.map(({ at }, i) => at - (driver.sent[i - 1]?.at ?? at)).slice(1);
    expect(driver.sent.map(typeOf).every((type) => type === HPCC_PROBE)).toBe(true);
    expect(gaps.slice(0, 3)).toEqual([3, 6, 12].map((rtts) => rtts * GUESS));
    expect(Math.max(...gaps)).toBe(3 * 64 * GUESS);
  });

  it('follows a path that becomes longer while a flow runs, within the window', () => {
    const network: PairOptions['network'] = (_from, packet, now) => [
      { packet, by: now > milliseconds(2) ? DELAY : 0 },
    ];
    const window = milliseconds(4);
    // Slower than the link, so that probes never wait for data.
    const { hosts, controls, driver } = pair({ measureBaseRtt: { window } }, { network }, 1e9);
    hosts[0].startFlow(0, flowTo(2, 1, 2_000_000));
    driver.run(0 + milliseconds(1.5));
    expect(measured(controls)).toEqual([T / 1e6]);
    driver.run(0 + milliseconds(12));
    const [us = 0] = measured(controls);
    expect(us).toBeGreaterThanOrEqual((T + 2 * DELAY) / 1e6);
    expect(us).toBeLessThan((T + 2 * DELAY) / 1e6 + 0.2);
  });

  it('leaves T to whom it belongs: not with an algorithm at the receiver', () => {
    const feedback = { algorithmAt: 'receiver' } as const;
    expect(() => testHost(1, { measureBaseRtt: {}, feedback })).toThrow(
      'T is measured by senders with framing: hpcc',
    );
  });
});
