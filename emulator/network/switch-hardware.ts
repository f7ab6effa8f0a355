import { bothWays } from '../../common/topology/topology';
import { assert } from '../../common/assert';
import { queueWeights } from '../../controller/intent/roles/queue-weights';
import { InputError } from '../../common/errors';
import { microseconds, PS_PER_SECOND } from '../../common/units/units';
import type { Bytes } from '../../common/units/units';
import { PAUSE_FRAME_LENGTH } from '../../common/wire/ip/mac-control';
import { telemetrySchema } from '../../controller/document/schema';
import { coordinationOf } from '../scenario/data-plane-schema';
import { dataPlaneFor } from '../scenario/algorithm-needs';
import type { Profile } from '../scenario/data-plane-schema';
import { hasAbility } from '../scenario/profile-abilities';
import { hopLimitOf } from '../scenario/hop-limit';
import type { Parameters } from '../scenario/parameters';
import type { ScenarioDocument } from '../scenario/schema';
import type { LinkPortOptions } from '../../switch/v1model/options';
import type { BufferOptions } from '../../switch/buffer/shared-buffer';
import type { NetworkPlan, PlannedLink } from './plan';

/** As many as classes may ask for; bmv2 has them with `--priority-queues 8`. */
const PRIORITY_QUEUES = 8;
/** Most bytes of a frame's headers with any transport, and of one hop's telemetry. */
const HEADERS_MAX = 120;
const HOP_MAX = 48;

/** The part of a switch that no program changes. */
export interface SwitchHardware {
  readonly ports: readonly LinkPortOptions[];
  /** Queues per port, of which the highest number is served first. */
  readonly priorityQueues: number;
  /** The memory that the ports share. */
  readonly buffer?: BufferOptions;
}

/**
 * Weights of the queues of a switch, by queue; none unless its program has classes.
 * @throws InputError for weights in a switch whose ports share a buffer.
 */
export function hardwareWeights(
  scenario: ScenarioDocument,
  name: string,
): ReadonlyMap<number, number> {
  if (profileOf(scenario, name) !== 'hpcc-queues') return new Map();
  const weights = queueWeights(telemetrySchema.parse(scenario.telemetry));
  if (weights.size > 0 && scenario.buffer !== undefined) {
    throw new InputError(
      'buffer: ports that share a buffer serve queues by priority, not by weight',
    );
  }
  return weights;
}

/**
 * Ports and queues of a switch for its links and its program.
 * @throws InputError when the port for answers is that of a link.
 */
export function switchHardware(
  plan: NetworkPlan,
  scenario: ScenarioDocument,
  name: string,
): SwitchHardware {
  const { queueCapacityBytes } = scenario.parameters;
  const queueLimit = queueCapacityBytes === undefined ? undefined : { bytes: queueCapacityBytes };
  const links = plan.links.flatMap((link) => bothWays(link)).filter(({ a }) => a.node === name);
  const ports = links.map(({ a: { port }, rate }) => ({
    port,
    rate,
    ...(queueLimit !== undefined && { queueLimit }),
  }));
  const profile = profileOf(scenario, name);
  const priorityQueues = hasAbility(profile, 'queues') ? PRIORITY_QUEUES : 1;
  return {
    ports: [...ports, ...answerPort(scenario, profile, ports)],
    priorityQueues,
    ...(scenario.buffer !== undefined && {
      buffer: bufferOptions(scenario, { name, links, priorityQueues }),
    }),
  };
}

interface BufferedSwitch {
  readonly name: string;
  /** Links of this switch, as it sees them. */
  readonly links: readonly PlannedLink[];
  readonly priorityQueues: number;
}

/**
 * The memory of a switch in bytes.
 * @throws InputError for a priority without a queue, or a second limit that would drop packets.
 */
function bufferOptions(
  { buffer, parameters }: ScenarioDocument,
  { name, links, priorityQueues }: BufferedSwitch,
): BufferOptions {
  assert(buffer !== undefined, 'the scenario has a buffer');
  const { alpha, pfc, bytes, reservedBytes } = buffer;
  const alphas = typeof alpha === 'number' ? [alpha] : alpha;
  if (pfc === undefined) return { bytes, reservedBytes, alphas };
  const missing = pfc.priorities.find((priority) => priority >= priorityQueues);
  if (missing !== undefined) {
    const queues = `the queues of ${name} are 0 to ${priorityQueues - 1}`;
    throw new InputError(`buffer.pfc.priorities: ${queues}, found ${missing}`);
  }
  if (parameters.queueCapacityBytes !== undefined) {
    const clash = 'excludes parameters.queueCapacityBytes, which would drop lossless packets';
    throw new InputError(`buffer.pfc ${clash}`);
  }
  const frame = largestFrame(parameters);
  const headrooms = new Map(
    links.map((link) => [link.a.port, pfc.headroomBytes ?? headroomOf(link, frame)]),
  );
  return {
    bytes,
    reservedBytes,
    alphas,
    lossless: {
      priorities: pfc.priorities,
      quanta: pfc.quanta,
      resumeOffsetBytes: pfc.resumeOffsetBytes ?? 2 * frame,
      headroomBytes: (port) => headrooms.get(port) ?? 0,
      ...(pfc.watchdog !== undefined && {
        watchdog: {
          detect: microseconds(pfc.watchdog.detectUs),
          restore: microseconds(pfc.watchdog.restoreUs),
          action: pfc.watchdog.action,
        },
      }),
    },
  };
}

/**
 * Bytes that a link still brings when a switch decides to pause it (IEEE 802.1Q annex N): the pause
 * waits for a frame of the switch, travels, finds the sender in the middle of a frame, and until
 * that has left the link is full in the other direction.
 */
function headroomOf(link: PlannedLink, frame: Bytes): Bytes {
  const { rate, delay, backRate = rate, backDelay = delay } = link;
  const onTheWay = ((delay + backDelay) * backRate) / (8 * PS_PER_SECOND);
  return Math.ceil(onTheWay) + 3 * frame + PAUSE_FRAME_LENGTH;
}

/** With the telemetry of as many hops as hosts allow. */
function largestFrame(parameters: Parameters): Bytes {
  return parameters.mss + HEADERS_MAX + hopLimitOf(parameters) * HOP_MAX;
}

/** The program of one switch; one that serves the algorithm in place of the basic one. */
export function profileOf(scenario: ScenarioDocument, name: string): Profile {
  return scenario.switchProfiles[name] ?? dataPlaneFor(scenario).profile;
}

/** Profiles whose switches answer senders themselves. */
const ANSWERING: readonly Profile[] = ['hpcc-feedback', 'hpcc-feedback-signed'];

/**
 * The port without a link that answers of the switch pass on their way to ingress: a clone session
 * needs a port that exists. Nothing is ever sent there, so its rate plays no part.
 */
function answerPort(
  scenario: ScenarioDocument,
  profile: Profile,
  others: readonly LinkPortOptions[],
): readonly LinkPortOptions[] {
  const { feedback } = telemetrySchema.parse(scenario.telemetry);
  const section = ANSWERING.includes(profile) ? feedback : undefined;
  const port = profile === 'hpcc-ccm' ? coordinationOf(scenario)?.port : section?.port;
  if (port === undefined) return [];
  if (others.some((each) => each.port === port)) {
    throw new InputError(`the port for answers must be one without link, found ${port}`);
  }
  return [{ port, rate: Math.max(...others.map(({ rate }) => rate)) }];
}
