import { InputError } from '../../../common/errors';
import { formatIpv4 } from '../../../common/topology/topology';
import { PS_PER_SECOND } from '../../../common/units/units';
import { TrafficTally, intervalBetween, summedSample } from '../../traffic/traffic-report';
import type { FlowInterval, FlowSample } from '../../traffic/traffic-report';
import type { HostEvent } from '../../host/host-events';
import type { SendOptions } from '../options/send-options';
import { ipv4Argument, macArgument } from '../net/interface-facts';
import { neighbourMac, nextHopMac } from '../net/next-hop';
import { damageAdvice } from '../../traffic/damage-advice';
import { keysAdvice } from '../../traffic/keys-advice';
import { settingsAdvice } from '../../traffic/settings-advice';
import { differingPeers } from './open-host';
import type { OpenHost } from './open-host';
import type { HostDriver } from './live-host';
import { Traffic } from './traffic';
import type { FlowTraces } from './traffic';

/** Hosts wake for it, and have bytes for longer. */
const FEED_MS = 4;
const WATCH_MS = 100;
const MS_PER_SECOND = 1000;

/** Flows of a run, with the timers that they need. */
export interface RunningTraffic {
  begin(onInterval: (flows: readonly FlowInterval[]) => void, onComplete: () => void): void;
  handleEvent(event: HostEvent): void;
  samples(): readonly FlowSample[];
  /** None and zero until traffic has begun. */
  totals(): ReturnType<Traffic['totals']>;
  stop(): void;
}

export interface TrafficRun {
  readonly send: SendOptions;
  readonly traces: FlowTraces | undefined;
  readonly fail: (error: unknown) => void;
}

/**
 * Finds the way to the destination.
 * @throws InputError for an address that makes no sense, or that no way leads to.
 */
export async function startTraffic(
  host: OpenHost,
  live: HostDriver,
  { send, traces, fail }: TrafficRun,
): Promise<RunningTraffic> {
  const destinationAddress = ipv4Argument('destination', send.destination);
  if (send.firstFlow !== undefined && send.firstFlow >= host.flowIds) {
    throw new InputError(
      `--first-flow ${send.firstFlow}: ids of flows over RoCEv2 are below ${host.flowIds}`,
    );
  }
  if (host.sourceRoutes !== undefined && host.sourceRoutes(destinationAddress) === undefined) {
    const where = `${formatIpv4(destinationAddress)} from ${formatIpv4(host.address)}`;
    throw new InputError(`--source-routing: no path leads to ${where} by that document`);
  }
  const destinationMac =
    send.peerMac === undefined
      ? await macTowards(host, destinationAddress)
      : macArgument('--peer-mac', send.peerMac);
  return new TimedTraffic(host, live, {
    send,
    traces,
    fail,
    destinationAddress,
    destinationMac,
  });
}

/** The MAC address of the next hop; several interfaces know their own ones from then on. */
async function macTowards(
  { nics, routes, address }: OpenHost,
  destination: number,
): Promise<number> {
  const questions = nics.map(({ port, facts, mac }) => ({
    port,
    interfaceName: facts.name,
    source: { address, mac },
  }));
  const [first] = questions;
  if (routes === undefined && first !== undefined) return nextHopMac(first, destination);
  const found: number[] = [];
  let fault: InputError | undefined;
  for (const { nic, hop } of routes?.waysTo(destination) ?? []) {
    const question = questions[nic];
    if (question === undefined) continue;
    try {
      const known = routes?.macTowards(nic, destination);
      const mac = known ?? (await neighbourMac(question, hop, destination));
      routes?.noteMac(nic, destination, mac);
      found.push(mac);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // Another interface may do.
      fault = error;
    }
  }
  const [mac] = found;
  if (mac !== undefined) return mac;
  if (fault !== undefined) throw fault;
  const names = questions.map(({ interfaceName }) => interfaceName).join(', ');
  throw new InputError(`no route of ${names} leads to ${formatIpv4(destination)}`);
}

interface TrafficPlan extends TrafficRun {
  readonly destinationAddress: number;
  readonly destinationMac: number;
}

class TimedTraffic implements RunningTraffic {
  readonly #host: OpenHost;
  readonly #live: HostDriver;
  readonly #plan: TrafficPlan;
  readonly #timers: NodeJS.Timeout[] = [];
  #traffic: Traffic | undefined;
  #onComplete: () => void = () => undefined;
  #totals: ReturnType<Traffic['totals']> | undefined;
  #sumBefore: ReturnType<typeof summedSample> | undefined;
  #before: readonly FlowSample[] = [];
  #intervalFrom = 0;
  #startedAt = 0;
  #acknowledged = 0;
  #progressAt = 0;

  constructor(host: OpenHost, live: HostDriver, plan: TrafficPlan) {
    this.#host = host;
    this.#live = live;
    this.#plan = plan;
  }

  begin(onInterval: (flows: readonly FlowInterval[]) => void, onComplete: () => void): void {
    const { send, traces, fail, destinationAddress, destinationMac } = this.#plan;
    const { mss, meters, deliveries, isReading, flowIds } = this.#host;
    this.#onComplete = onComplete;
    this.#startedAt = this.#now();
    const options = {
      destinationAddress,
      destinationMac,
      mss,
      amount: send.amount,
      flows: send.parallel,
      flowsInAll: send.flows,
      dscp: send.dscp,
      admission: send.admission,
      flowIds,
      firstFlow: send.firstFlow ?? Math.floor(Math.random() * flowIds),
      withChecksum: deliveries !== undefined && !isReading,
      traces,
    };
    const traffic = new Traffic(this.#live, options, meters);
    this.#traffic = traffic;
    const every = (ms: number, act: () => void): void => {
      this.#timers.push(setInterval(guarded(act, fail), ms));
    };
    if (send.amount.kind === 'time') every(FEED_MS, () => traffic.feed());
    every(WATCH_MS, () => this.#watch(traffic));
    every(send.intervalSeconds * MS_PER_SECOND, () => onInterval(this.#interval(traffic)));
  }

  handleEvent(event: HostEvent): void {
    this.#traffic?.handleEvent(event);
    if (event.kind === 'flow-failed') {
      const { destination } = this.#plan.send;
      const text = `flow ${event.flow} with ${destination} was given up: ${event.reason}`;
      this.#plan.fail(new InputError(text));
    }
    if (event.kind !== 'flow-completed' || this.#traffic?.isComplete !== true) return;
    this.stop();
    this.#onComplete();
  }

  samples(): readonly FlowSample[] {
    return this.#traffic?.samples() ?? [];
  }

  totals(): ReturnType<Traffic['totals']> {
    this.#totals ??= this.#traffic?.totals();
    return this.#totals ?? { flows: [], total: new TrafficTally().total() };
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.totals();
  }

  /** Time since the first look, in seconds. */
  #now(): number {
    return this.#live.act((_agent, now) => now) / PS_PER_SECOND - this.#startedAt;
  }

  #interval(traffic: Traffic): readonly FlowInterval[] {
    const to = this.#now();
    const after = traffic.samples();
    const time = { from: this.#intervalFrom, to };
    this.#intervalFrom = to;
    if (traffic.isSuccession) {
      const sum = summedSample(after, traffic.tally);
      const all = { ...sum, flow: 'all' as const, normalizedInflight: null };
      const interval = intervalBetween(this.#sumBefore, all, time);
      this.#sumBefore = sum;
      return [interval];
    }
    const intervals = after.map((sample, i) => intervalBetween(this.#before[i], sample, time));
    this.#before = after;
    return intervals;
  }

  #watch(traffic: Traffic): void {
    const { timeoutSeconds, destination } = this.#plan.send;
    const now = this.#now();
    const acknowledged = traffic.acknowledgedBytes;
    if (acknowledged > this.#acknowledged) this.#progressAt = now;
    this.#acknowledged = acknowledged;
    if (now - this.#progressAt < timeoutSeconds) return;
    const [what, question] =
      acknowledged === 0
        ? ['does not answer', 'does hpcc agent run there, and does a way lead there and back?']
        : ['answers no longer', 'has hpcc agent ended there?'];
    const counters = this.#host.counters();
    const advice =
      keysAdvice(counters) ??
      settingsAdvice(differingPeers(this.#host.nics)) ??
      damageAdvice(counters) ??
      question;
    throw new InputError(
      `${destination} ${what}: nothing acknowledged for ${timeoutSeconds} s; ${advice}`,
    );
  }
}

/** Timers have no caller who could catch anything. */
function guarded(act: () => void, fail: (error: unknown) => void): () => void {
  return () => {
    try {
      act();
    } catch (error) {
      fail(error);
    }
  };
}
