import { strict as assert } from 'node:assert';
import { coordinationRow } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import { scenarioInMode } from '../../emulator/scenario/variants';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import type { JudgedRun } from '../../emulator/study/io/judge';
import { drawSetting } from './random-setting';

/** Times that differ by less are a tie. */
const TIE = 0.02;

interface Times {
  readonly meanFctUs: number;
  /** Until the last flow has ended. */
  readonly completeUs: number;
}

/**
 * A setting drawn from the seed, coordinated and with adaptive routing alone: whether the mean of the
 * completion times, and the time until all is complete, are better, within 2 %, or worse. What must hold
 * in each setting is that every flow ends, and that hosts refuse nothing but notifications about flows
 * that ended while these were on their way; who wins is a figure.
 */
export async function judge({ scenario: base, seed, run }: JudgedRun) {
  const { scenario, ...setting } = drawSetting(base, seed);
  const timesIn = async (mode: CoordinationMode): Promise<Times> =>
    timesOf(await run(scenarioInMode(scenario, mode), seed));
  const [adaptive, coordinated] = [await timesIn('adaptive'), await timesIn('coordinated')];
  const meanFctShare = coordinated.meanFctUs / adaptive.meanFctUs;
  const completeShare = coordinated.completeUs / adaptive.completeUs;
  return {
    ...setting,
    meanFctShare,
    completeShare,
    meanFctWon: Number(meanFctShare < 1 - TIE),
    meanFctLost: Number(meanFctShare > 1 + TIE),
    completeWon: Number(completeShare < 1 - TIE),
    completeLost: Number(completeShare > 1 + TIE),
  };
}

function timesOf(result: Result): Times {
  const { 'unknown-flow': unknown = 0, ...others } = result.counters.hostRejections;
  assert.deepEqual(others, {});
  assert.equal(unknown, unknown === 0 ? 0 : notificationsBehindTheEnd(result));
  assert.equal(coordinationRow(result).unfinished, 0);
  const ends = result.flows.map(({ startUs, fctUs }) => startUs + (fctUs ?? Infinity));
  const total = result.flows.reduce((sum, { fctUs }) => sum + (fctUs ?? Infinity), 0);
  return { meanFctUs: total / result.flows.length, completeUs: Math.max(...ends) };
}

/** Notifications that came to the host of a flow no longer than a round trip after its end. */
function notificationsBehindTheEnd({ flows, coordination, parameters }: Result): number {
  const rttUs = Number(parameters['baseRttNs']) / 1000;
  const ends = flows.map(({ startUs, fctUs }) => startUs + (fctUs ?? Infinity));
  const hosts = new Set(flows.map(({ source }) => source));
  const isLate = ({ atUs, flow }: { atUs: number; flow: number }): boolean => {
    const endUs = ends[flow - 1] ?? Infinity;
    return atUs > endUs && atUs <= endUs + rttUs;
  };
  const received = (coordination?.log ?? []).filter(
    ({ what, node }) => what === 'notification-received' && hosts.has(node),
  );
  return received.filter(isLate).length;
}
