import { InputError } from '../../common/errors';
import type { Connection } from '../workload/connection';
import type { PlainTopology } from './expand-topology';

/**
 * Topology and flows in the input format of the HPCC simulator; simulator-format.ts reads them.
 * Ids of nodes are in names such as `h5` and `s32` if all nodes are named so; otherwise hosts count
 * from 0 in their order, and switches go on from there.
 */
export function simulatorTopology(topology: PlainTopology): string {
  const { switches, links } = topology;
  const ids = nodeIds(topology);
  const nodes = Math.max(...ids.values()) + 1;
  const idOf = (name: string): number => ids.get(name) as number;
  return [
    `${nodes} ${switches.length} ${links.length}`,
    switches.map(idOf).join(' '),
    ...links.map(({ a, b, rateGbps, delayNs, lossRate, backRateGbps, backDelayNs }) => {
      if ((backRateGbps ?? rateGbps) !== rateGbps || (backDelayNs ?? delayNs) !== delayNs) {
        throw new InputError(
          `link ${a} - ${b}: the simulator's format has one rate and delay for both directions; ` +
            'leave out what differs on the way back',
        );
      }
      const rate = `${Number((rateGbps * 1e9).toFixed(0))}bps`;
      return `${idOf(a)} ${idOf(b)} ${rate} ${delayNs}ns ${lossRate}`;
    }),
    '',
  ].join('\n');
}

/** The simulator's flows begin at 2 s, behind what it sets up. */
const FIRST_START_SECONDS = 2;
const PRIORITY = 3;
const DESTINATION_PORT = 100;

/** @throws InputError for messages that wait for others, which the format has no word for. */
export function simulatorFlows(
  connections: readonly Connection[],
  topology: PlainTopology,
): string {
  const ids = nodeIds(topology);
  const flows = connections.map(({ from, to, messages: [message, ...more] }) => {
    if (message === undefined || more.length > 0 || message.after.length > 0) {
      throw new InputError(
        `${from} to ${to}: a flow file cannot say that messages wait for others; ` +
          'leave out traces, collectives, ring-all-reduce, all-to-all and repeated workloads',
      );
    }
    return { from: ids.get(from), to: ids.get(to), bytes: message.bytes, at: message.startUs };
  });
  flows.sort((a, b) => a.at - b.at);
  return [
    String(flows.length),
    ...flows.map(({ from, to, bytes, at }) => {
      const start = secondsText(at);
      return `${from} ${to} ${PRIORITY} ${DESTINATION_PORT} ${bytes} ${start}`;
    }),
    '',
  ].join('\n');
}

/** With all digits of a picosecond, which a double of seconds could not hold. */
function secondsText(us: number): string {
  const ps = Math.round(us * 1e6);
  const whole = Math.floor(ps / 1e12);
  return `${FIRST_START_SECONDS + whole}.${String(ps - whole * 1e12).padStart(12, '0')}`;
}

function nodeIds({ hosts, switches }: PlainTopology): ReadonlyMap<string, number> {
  const names = [...hosts, ...switches];
  const own = names.map((name) => /^[hs](0|[1-9]\d{0,6})$/.exec(name)?.[1]);
  const isNumbered = own.every((id) => id !== undefined) && new Set(own).size === names.length;
  return new Map(names.map((name, i) => [name, isNumbered ? Number(own[i]) : i]));
}
