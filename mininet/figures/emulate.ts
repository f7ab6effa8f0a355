import { bothWays } from '../../common/topology/topology';
import { assert } from '../../common/assert';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { settingsOn } from '../../host-agent/settings/settings';
import { settingsIn } from '../../host-agent/settings/words';
import type { FlowDocument } from '../experiment/experiment';
import type { ScenarioDocument, ScenarioInput } from '../../emulator/scenario/schema';
import { tuningOf } from '../experiment/tuning';
import { bottleneckOf } from '../observation/bottleneck';
import { isMeasured } from '../observation/observation';
import type { Observation, ObservedFlow } from '../observation/observation';

const NS_PER_US = 1000;
const US_PER_SECOND = 1e6;
const BITS_PER_BYTE = 8;
/** `hpcc controller watch` looks at the ports of switches once a second. */
const CONTROLLER_LOOKS_EVERY_US = US_PER_SECOND;
const QUEUE_INTERVAL_NS = 1_000_000;
const FLOW_INTERVAL_NS = 20_000_000;
/** Twice as long as the run itself is time enough for flows to end. */
const PATIENCE = 2;

/**
 * The same flows on the same links under the same parameters in virtual time. Where the machine's
 * part of the round trip is unknown, links get the delay that makes it T.
 */
export function emulatedScenario(observation: Observation): ScenarioDocument {
  const { own, network, flows } = observation;
  const { document } = own;
  const { topology } = network.spec;
  const bottleneck = bottleneckOf(observation);
  const end = Math.max(...flows.map(({ endsAt }) => endsAt));
  const first = firstStart(observation);
  return scenarioSchema.parse({
    name: document.experiment,
    title: `${document.title} (emulated)`,
    topology: {
      kind: 'custom',
      switches: topology.switches.map(({ name }) => name),
      hosts: topology.hosts.map(({ name }) => name),
      links: topology.links.map(({ a, b, rate, backRate }) => ({
        between: [a.node, b.node],
        rateGbps: rate / 1e9,
        ...(backRate !== undefined && { backRateGbps: backRate / 1e9 }),
        delayNs: linkDelayNs(observation),
      })),
    },
    flows: emulatedFlows(observation).map(({ sender: { flow }, bytes, startsAt }) => ({
      from: flow.from,
      to: flow.to,
      bytes,
      startUs: Math.round((startsAt - first) * US_PER_SECOND),
      ...classOf(flow),
    })),
    fixedRateGbps: fixedRates(observation),
    ...linkEvents(observation),
    ...emulatedSwitches(observation),
    parameters: hostParameters(observation),
    record: { queueIntervalNs: QUEUE_INTERVAL_NS, flowIntervalNs: FLOW_INTERVAL_NS },
    giveUpAfterUs: PATIENCE * US_PER_SECOND * (end - first) + bottleneck.rateBps / 1e3,
  });
}

/** When the first flow begins, which is the twin's instant 0; seconds. */
export const firstStart = ({ flows }: Observation): number =>
  Math.min(...flows.map(({ startsAt }) => startsAt));

/** The flows of the twin, in the order of its own. */
export const emulatedFlows = ({ flows }: Observation): readonly ObservedFlow[] =>
  flows.filter(({ bytes }) => bytes > 0);

/** Hosts whose flows only measure, or are of an application that sends no faster. */
function fixedRates({ flows }: Observation): Record<string, number> {
  return Object.fromEntries(
    flows.flatMap(({ sender: { flow } }) =>
      limitOf(flow) === undefined ? [] : [[flow.from, (limitOf(flow) ?? 0) / 1e9]],
    ),
  );
}

function limitOf(flow: FlowDocument): number | undefined {
  const { rateBps } = flow.kind === 'hpcc' ? flow : {};
  return settingsIn(flow.options).rate ?? rateBps;
}

/** Links change when they really did; what notices it is what the real network has. */
function linkEvents(observation: Observation): Pick<ScenarioInput, 'events' | 'reaction'> {
  const { own, network, run } = observation;
  const first = firstStart(observation);
  const isWatched = own.document.controller === 'watch';
  return {
    events: run.links.map(({ link, state, seconds }) => ({
      atUs: Math.max(0, Math.round((seconds - first) * US_PER_SECOND)),
      between: endsOf(link),
      state,
    })),
    reaction: {
      controllerUs: isWatched ? CONTROLLER_LOOKS_EVERY_US : null,
      watchPorts: network.text.watchPorts ?? false,
    },
  };
}

/** Programs that only serve some algorithms. */
const PROFILES = [
  'hpcc-queues',
  'hpcc-pint',
  'hpcc-feedback',
  'hpcc-feedback-signed',
  'hpcc-spray',
  'hpcc-trim',
  'hpcc-spray-trim',
  'hpcc-usid',
  'ioam',
] as const;

/** Memory and program as the real switches have them, as far as an algorithm depends on them. */
function emulatedSwitches({ own, network }: Observation): Partial<ScenarioInput> {
  const { program, telemetry, spray, trim, usid } = network.text;
  const { buffer } = own.document;
  const profile = PROFILES.find((each) => each === program);
  return {
    ...(buffer !== undefined && { buffer }),
    ...(profile !== undefined && { profile }),
    ...(spray !== undefined && { spray }),
    ...(trim !== undefined && { trim }),
    ...(usid !== undefined && { sourceRouting: 'usid' as const }),
    ...(profile !== undefined && telemetry !== undefined && { telemetry: ofPrograms(telemetry) }),
  };
}

/** Telemetry settings that programs use; the units are those of the emulator. */
function ofPrograms(telemetry: NonNullable<Observation['network']['text']['telemetry']>) {
  const { ecn, digest, classes, classWindow, feedback, ioam } = telemetry;
  return {
    ...(ecn && { ecn }),
    ...(digest && { digest }),
    ...(classes && { classes }),
    ...(classWindow !== undefined && { classWindow }),
    ...(feedback && { feedback }),
    ...(ioam && { ioam }),
  };
}

/** `s1:2-s2:1` without its ports. */
function endsOf(link: string): [string, string] {
  const [a, b] = link.split('-').map((end) => end.split(':')[0] ?? '');
  assert(a !== undefined && b !== undefined, `${link} is a link`);
  return [a, b];
}

/** Parameters from the command lines of the measured flows, as far as the emulator has them too. */
function hostParameters({ own, flows }: Observation): ScenarioInput['parameters'] {
  const flow = flows.find(isMeasured)?.sender.flow;
  const bothOptions = flow?.kind === 'hpcc' ? flow.bothOptions : [];
  const { algorithm, options, signed } = own.document;
  const words = [...options, ...bothOptions, ...(flow?.options ?? [])];
  const given = settingsIn(words);
  // Limits of what is believed are none of switches, and timeouts of processes none of virtual time.
  const names = settingsOn('scenario').filter((name) => !NOT_EMULATED.has(name));
  return {
    ...tuningOf(algorithm, words),
    baseRttUs: algorithm.baseRttUs,
    mss: algorithm.mss,
    ...Object.fromEntries(
      names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ),
    ...(signed && { authentication: 'on', plausibility: 'on' }),
  };
}

const NOT_EMULATED: ReadonlySet<string> = new Set(['queueCapacityBytes', 'rtoMs']);

/** The class that the command line of a flow gives it. */
function classOf(flow: FlowDocument): { readonly dscp?: number } {
  const { dscp } = settingsIn(flow.options);
  return dscp === undefined ? {} : { dscp };
}

/** Delay of one link that makes the longest round trip of the idle network T, or nearly so. */
function linkDelayNs({ own: { document }, network }: Observation): number {
  const { topology } = network.spec;
  const links = Math.max(2, topology.switches.length + 1);
  const ways = topology.links.flatMap((link) => bothWays(link));
  const slowest = Math.min(...ways.map(({ rate }) => rate));
  const serialisationNs = (BITS_PER_BYTE * document.frameBytes * links * 1e9) / slowest;
  const spare = document.algorithm.baseRttUs * NS_PER_US - serialisationNs;
  return Math.max(0, Math.floor(spare / (2 * links)));
}
