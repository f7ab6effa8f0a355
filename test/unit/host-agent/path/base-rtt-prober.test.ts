import { microseconds, milliseconds, seconds } from '../../../../common/units/units';
import { checkBaseRtt } from '../../../../host-agent/path/base-rtt';
import {
  BASE_RTT_PROBES_FROM,
  BaseRttProber,
  BaseRtts,
} from '../../../../host-agent/path/base-rtt-prober';
import { PATH_PROBES_FROM } from '../../../../host-agent/path/path-selector';
import { hopRecord } from '../../../support/telemetry';

const RTT = microseconds(100);
const GUESS = milliseconds(1);
const HERE = [hopRecord({ switchId: 1 })];
const THERE = [hopRecord({ switchId: 2 })];
/** A probe as long as data, so that T is the round trip itself. */
const FRAMES = { linkRate: 100e9, dataLength: 1000, probeLength: 1000, hopLength: 32 };

const known = (): BaseRtts => new BaseRtts(checkBaseRtt({ samples: 4 }), FRAMES);
const prober = (at: number, paths: BaseRtts, destination = 7): BaseRttProber =>
  new BaseRttProber(at, paths, { destination, guess: GUESS });

/** Probes that are due from `at` on, each answered after `rtt`; returns each T that was told. */
function measure(
  of: BaseRttProber,
  {
    at,
    probes,
    rtt = RTT,
    links = HERE,
  }: Record<'at' | 'probes', number> & {
    readonly rtt?: number;
    readonly links?: typeof HERE;
  },
) {
  const told: (number | undefined)[] = [];
  let now = at;
  for (let i = 0; i < probes; i++) {
    now = Math.max(now, of.probeAt);
    const id = of.takeProbe(now);
    now += rtt;
    told.push(of.handleResponse(now, id, links));
  }
  return { told, now };
}

describe('a flow that measures T', () => {
  it('numbers its probes apart from those for the choice of a path', () => {
    expect(prober(0, known()).takeProbe(0)).toBe(BASE_RTT_PROBES_FROM);
    expect(BASE_RTT_PROBES_FROM).toBeGreaterThanOrEqual(2 * PATH_PROBES_FROM);
  });

  it('asks again at each answer until T is known, and rarely from then on', () => {
    const flow = prober(0, known());
    const { told, now } = measure(flow, { at: 0, probes: 4 });
    expect(told).toEqual([undefined, undefined, undefined, RTT]);
    expect(now).toBe(4 * RTT);
    expect(flow.T).toBe(RTT);
    expect(flow.probeAt).toBe(now + milliseconds(250));
  });

  it('asks again when no answer comes, later each time, and takes answers that come late', () => {
    const flow = prober(0, known());
    const first = flow.takeProbe(0);
    const again = 3 * GUESS;
    expect(flow.probeAt).toBe(again);
    flow.takeProbe(again);
    expect(flow.probeAt).toBe(again + 6 * GUESS);
    flow.handleResponse(again + GUESS, first, HERE);
    expect(flow.probeAt).toBe(again + GUESS);
    const { told } = measure(flow, { at: again + GUESS, probes: 3, rtt: 6 * GUESS });
    expect(told.at(-1)).toBe(again + GUESS);
  });

  it('takes each answer once, and none that it did not ask for', () => {
    const flow = prober(0, known());
    const id = flow.takeProbe(0);
    const now = 0 + RTT;
    flow.handleResponse(now, id + 1, HERE);
    for (let i = 0; i < 10; i++) flow.handleResponse(now, id, HERE);
    expect(flow.T).toBeUndefined();
  });

  it('shares what it knows of a path with later flows to the same destination', () => {
    const paths = known();
    const { now } = measure(prober(0, paths), { at: 0, probes: 4 });
    expect(measure(prober(now, paths), { at: now, probes: 1, rtt: 2 * RTT }).told).toEqual([RTT]);
    const elsewhere = measure(prober(now, paths, 8), { at: now, probes: 1 });
    const otherPath = measure(prober(now, paths), { at: now, probes: 1, links: THERE });
    expect([elsewhere.told, otherPath.told]).toEqual([[undefined], [undefined]]);
  });

  it('measures anew when nothing was heard of the path for a whole window', () => {
    const paths = known();
    measure(prober(0, paths), { at: 0, probes: 4 });
    const at = 0 + seconds(11);
    const { told } = measure(prober(at, paths), { at, probes: 4, rtt: 2 * RTT });
    expect(told).toEqual([undefined, undefined, undefined, 2 * RTT]);
  });

  it('keeps T while another path is measured, and changes it then', () => {
    const flow = prober(0, known());
    measure(flow, { at: 0, probes: 4 });
    const change = measure(flow, { at: flow.probeAt, probes: 4, rtt: 3 * RTT, links: THERE });
    expect(change.told).toEqual([undefined, undefined, undefined, 3 * RTT]);
    const back = measure(flow, { at: flow.probeAt, probes: 1, links: HERE });
    expect(back.told).toEqual([RTT]);
  });

  it('tells no change that is hardly one', () => {
    const flow = prober(0, known());
    measure(flow, { at: 0, probes: 4 });
    expect(measure(flow, { at: flow.probeAt, probes: 1, rtt: 0.995 * RTT }).told).toEqual([
      undefined,
    ]);
    expect(measure(flow, { at: flow.probeAt, probes: 1, rtt: 0.9 * RTT }).told).toEqual([
      0.9 * RTT,
    ]);
  });

  it('asks at once when it has moved', () => {
    const flow = prober(0, known());
    const { now } = measure(flow, { at: 0, probes: 4 });
    flow.onMoved(now + 5);
    expect(flow.probeAt).toBe(now + 5);
  });
});
