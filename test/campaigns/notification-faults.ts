import { strict as assert } from 'node:assert';
import { PS_PER_US, serialisationTime } from '../../common/units/units';
import type { CoordinationRecord } from '../../emulator/result/coordination-record';
import { scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import type { JudgedRun } from '../../emulator/study/io/judge';
import type { FlowSeries, Result } from '../../emulator/result/result';

/** After the last type 1 of a switch that still asks. */
const HOLD_US = 200;
/** After the last echo of CE. */
const MARK_RTTS = 2;
const LINK_RATE = 100e9;
/** After which a sender sends again. */
const TIMEOUT_US = 500;

/** Values of `ingress.notification.outcomes`, as in docs/coordination.md. */
const OUTCOME = { accepted: 2, forged: 3, replayed: 4, unknownSender: 5, notForUs: 6, noPin: 7 };

/** Events that a run has seen, so that no check of a campaign passes without any. */
type Seen = Record<
  | 'expired'
  | 'releasesLost'
  | 'taggedByMark'
  | 'outdatedRequests'
  | 'replayedToHosts'
  | 'replayedToSwitches',
  number
>;

/** Runs of an equal network without faults, of which seeds that follow each other need one. */
let clean: { readonly network: string; readonly result: Promise<Result> } | undefined;

/**
 * Notifications over faulty links change nothing when forged or replayed, and starve and pin no flow.
 * The run that is judged has faults of all kinds; it is compared with the same network under attack
 * alone, and without faults.
 */
export async function judge({ result, scenario, seed, run }: JudgedRun): Promise<Seen> {
  const seen: Seen = {
    expired: 0,
    releasesLost: 0,
    taggedByMark: 0,
    outdatedRequests: 0,
    replayedToHosts: 0,
    replayedToSwitches: 0,
  };
  const { notificationFaults, ...network } = scenario;
  assert(notificationFaults !== undefined, 'the scenario has faults of notifications');
  const key = JSON.stringify([network, seed]);
  if (clean?.network !== key) {
    clean = { network: key, result: run(scenarioVariant(scenario, 'clean'), seed) };
  }
  const attack = scenarioVariant(scenario, 'attacked').notificationFaults;
  assert(attack !== undefined, 'an attack is one of faults');
  const faults = { ...attack, seed: notificationFaults.seed };
  const attacked = await run({ ...scenario, notificationFaults: faults }, seed);
  expectNoEffect(attacked, await clean.result, seen);
  expectAllJudged(result);
  expectNoPinnedFlow(result);
  expectNoStarvedFlow(result);
  note(result, seen);
  return seen;
}

function recordOf({ coordination }: Result): CoordinationRecord & {
  readonly faults: NonNullable<CoordinationRecord['faults']>;
} {
  const faults = coordination?.faults;
  if (coordination === undefined || faults === undefined)
    throw new Error('the scenario has faults of notifications');
  return { ...coordination, faults };
}

/** Notifications that switches have judged so. */
function judged({ counters }: Result, outcome: keyof typeof OUTCOME): number {
  const end = `ingress.notification.outcomes[${OUTCOME[outcome]}]`;
  const cells = Object.entries(counters.programs ?? {}).filter(([name]) => name.endsWith(end));
  return cells.reduce((sum, [, count]) => sum + count, 0);
}

/** Counts the notifications that hosts and switches took, and those that they refused, by reason. */
function judgements(result: Result) {
  const { refused, taken } = recordOf(result);
  const count = (reason: string): number => refused[reason] ?? 0;
  const sum = (...counts: number[]): number => counts.reduce((total, each) => total + each, 0);
  return {
    hosts: {
      forged: count('malformed') + count('unauthenticated'),
      repeated: count('replayed'),
      believed: sum(...Object.values(taken), count('unknownFlow')),
    },
    switches: {
      forged: judged(result, 'forged') + judged(result, 'unknownSender'),
      repeated: judged(result, 'replayed'),
      believed: judged(result, 'accepted') + judged(result, 'noPin') + judged(result, 'notForUs'),
    },
  };
}

/** An attack is refused to the last packet, and nothing else is different. */
function expectNoEffect(attacked: Result, honest: Result, seen: Seen): void {
  assert.deepEqual(attacked.flows, honest.flows);
  assert.deepEqual(attacked.series, honest.series);
  assert.deepEqual(recordOf(attacked).flows, recordOf(honest).flows);
  assert.deepEqual(recordOf(attacked).controlled, recordOf(honest).controlled);
  const { faults } = recordOf(attacked);
  seen.replayedToHosts += faults.hosts.replayed;
  seen.replayedToSwitches += faults.switches.replayed;
  const { hosts, switches } = judgements(attacked);
  for (const [made, found] of [
    [faults.hosts, hosts] as const,
    [faults.switches, switches] as const,
  ]) {
    const { lost, duplicated, delayed } = made;
    assert.deepEqual({ lost, duplicated, delayed }, { lost: 0, duplicated: 0, delayed: 0 });
    assert.equal(made.forged, made.genuine);
    const { forged, replayed, genuine } = made;
    assert.deepEqual(found, { forged, repeated: replayed, believed: genuine });
  }
}

/** Whatever arrives is accounted for; hosts refuse all repeated ones, and none but these. */
function expectAllJudged(faulty: Result): void {
  const { faults } = recordOf(faulty);
  const { hosts, switches } = judgements(faulty);
  for (const [made, found] of [
    [faults.hosts, hosts] as const,
    [faults.switches, switches] as const,
  ]) {
    assert.equal(found.forged, made.forged);
    const repeated = made.duplicated + made.replayed;
    assert.equal(found.repeated + found.believed, made.genuine - made.lost + repeated);
    // Switches take rising numbers only, so that they refuse what others have overtaken too.
    const late = found.repeated - repeated;
    const lateMax = made === faults.hosts ? 0 : made.delayed;
    assert(late >= 0 && late <= lateMax, `${late} late ones were refused of ${lateMax}`);
  }
}

/** A flow is under control as long as its causes hold, and not for longer than a frame more. */
function expectNoPinnedFlow(faulty: Result): void {
  const { controlled, log } = recordOf(faulty);
  const frameUs = serialisationTime(faulty.frames.dataAtHostBytes, LINK_RATE) / PS_PER_US;
  const markUs = (MARK_RTTS * Number(faulty.parameters['baseRttNs'])) / 1000;
  for (const { flow, toUs, end, lastRequestUs, lastMarkUs } of controlled) {
    const untilUs = Math.max(
      (lastRequestUs ?? -Infinity) + HOLD_US,
      (lastMarkUs ?? -Infinity) + markUs,
    );
    const { startUs = 0, fctUs = null } = faulty.flows[flow - 1] ?? {};
    const endUs = toUs ?? startUs + (fctUs ?? Infinity);
    if (end === 'released') {
      const isRelease = (detail: string): boolean => detail.startsWith('control-released');
      const words = log.filter((line) => line.flow === flow && line.atUs === toUs);
      assert(
        words.some(({ detail }) => isRelease(detail)),
        `flow ${flow} had no release`,
      );
      assert(untilUs <= endUs, `flow ${flow} was released at ${endUs} us, before ${untilUs}`);
    } else {
      assert(endUs <= untilUs + frameUs + 1e-6, `flow ${flow} is pinned until ${endUs} us`);
    }
    if (end !== 'expired') continue;
    assert(endUs >= untilUs - 1e-6, `control of flow ${flow} expired at ${endUs} us, too early`);
  }
}

/**
 * Whatever is lost, all flows end in the time that the slowest link takes for all of them, besides a
 * hold and a timeout, and none stands still for longer than a timeout and a round trip.
 */
function expectNoStarvedFlow(faulty: Result): void {
  const { flows, frames, series, topology } = faulty;
  const bytes = flows.reduce((sum, flow) => sum + flow.bytes, 0);
  const bits = (8 * bytes * frames.dataAtBottleneckBytes) / frames.segmentBytes;
  const slowestGbps = Math.min(...topology.links.map(({ rateGbps }) => rateGbps));
  const boundUs = bits / slowestGbps / 1000 + HOLD_US + TIMEOUT_US;
  const starved = flows.filter(({ fctUs }) => fctUs === null || fctUs > boundUs);
  assert.deepEqual(starved, [], `flows take longer than ${boundUs} us`);
  const pauses = series.map((each) => longestPauseUs(each, faulty));
  // From the last delivery to the acknowledgement, the timeout, and the way of what is sent again.
  const pauseUs = TIMEOUT_US + Number(faulty.parameters['baseRttNs']) / 1000;
  assert(Math.max(...pauses) <= pauseUs, `a flow stands still for longer than ${pauseUs} us`);
}

/** The longest time for which nothing of a flow is delivered before its end. */
function longestPauseUs({ flow, timeUs, deliveredBytes }: FlowSeries, { flows }: Result): number {
  const { bytes = 0, startUs = 0 } = flows[flow - 1] ?? {};
  let longest = 0;
  let since = startUs;
  let before = 0;
  timeUs.forEach((at, i) => {
    const delivered = deliveredBytes[i] ?? 0;
    if (delivered > before) since = at;
    if (delivered < bytes) longest = Math.max(longest, at - since);
    before = delivered;
  });
  return longest;
}

function note(faulty: Result, seen: Seen): void {
  const { controlled, log, outdatedRequests } = recordOf(faulty);
  seen.outdatedRequests += outdatedRequests;
  for (const { flow, fromUs, toUs, cause, end, lastRequestUs } of controlled) {
    if (cause === 'CE') seen.taggedByMark++;
    if (end !== 'expired') continue;
    seen.expired++;
    if (lastRequestUs === null || (toUs ?? 0) < lastRequestUs + HOLD_US - 1e-6) continue;
    const during = log.filter(
      (line) => line.flow === flow && line.atUs > fromUs && line.atUs < (toUs ?? Infinity),
    );
    const releases = during.filter(({ detail }) => detail.startsWith('control-released'));
    const isLost =
      releases.length > 0 && releases.every(({ what }) => what === 'notification-sent');
    if (isLost) seen.releasesLost++;
  }
}
