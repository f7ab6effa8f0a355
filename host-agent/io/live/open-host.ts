import { randomBytes, randomInt } from 'node:crypto';
import { InputError } from '../../../common/errors';
import type { NetworkPlace } from '../../../common/io/net/network-place';
import { startClock } from '../../../common/io/monotonic-clock';
import { formatIpv4 } from '../../../common/topology/topology';
import type { BitsPerSecond, Bytes, Duration } from '../../../common/units/units';
import { gigabitsPerSecond, microseconds, milliseconds } from '../../../common/units/units';
import { ROCE_PORT } from '../../../common/wire/roce/bth';
import { CCM_PORT } from '../../../common/wire/coordination/ccm-notification';
import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import type { SourceRoutes } from '../../../common/wire/ip/source-paths';
import {
  FLOW_IDS,
  FLOW_TOKEN_LENGTH,
  GENERATIONS,
  HPCC_TRANSPORT_PORT,
  readFlowToken,
} from '../../../common/wire/hpcc/hpcc-transport';
import type { CongestionControlFactory } from '../../algorithm/congestion-control';
import type { PlausibilityLimits } from '../../algorithm/plausible-telemetry';
import type { CoordinationOptions } from '../../coordination/coordination-options';
import type { OpeningOptions } from '../../feedback/flow-tokens';
import type { KeyRing } from '../../feedback/key-ring';
import type { BaseRttOptions } from '../../path/base-rtt';
import { FlowMeters } from '../../traffic/flow-meters';
import { optimiseFromNow } from '../../../common/io/loop/optimising';
import { warmUp } from '../../traffic/warm-up';
import { dataHeaderLength } from '../../transport/frames/prepared-headers';
import { newCarrier } from '../../carrier/carriers';
import { destinationPort } from '../../carrier/peek';
import type { DestinationPort } from '../../carrier/peek';
import type { CarrierOptions } from '../../carrier/carriers';
import type { Agent } from '../../host/agent';
import { AgreeingAgent } from '../../host/agreeing-agent';
import type { DifferingPeer } from '../../host/agreeing-agent';
import { PausableAgent } from '../../host/pausable-agent';
import { ROCE_FLOW_IDS } from '../../roce/packets/connection-numbers';
import { HostAgent } from '../../transport/host';
import { MSS } from '../../host/host-config';
import type { HostConfig } from '../../host/host-config';
import type { HostCounters, HostEvent } from '../../host/host-events';
import { destinationOf, frameOwnerReader } from '../../nics/frame-owner';
import { sumOfHosts } from '../../nics/nic-agents';
import {
  algorithmOf,
  configurationOf,
  measuresBaseRtt,
  routeOf,
  tuningGiven,
} from '../../settings/configuration';
import { PATH_MTU } from '../../roce/queue-pair/roce-config';
import type { HostSettings } from '../../settings/settings';
import { hmacSha256 } from '../keys/hmac';
import { readKeyFile, ringOf } from '../keys/key-file';
import { readAnswerKeys, readNotificationKeys } from '../keys/switch-key-file';
import { DeliveryCheck } from './flow-payload';
import { LiveHost } from './live-host';
import type { HostDriver } from './live-host';
import { LiveNics } from './live-nics';
import type { LiveNic } from './live-nics';
import { sumOfPorts } from '../net/frame-port';
import type { FramePort, PortCounters } from '../net/frame-port';
import type { InterfaceFacts } from '../net/interface-facts';
import { interfaceFacts, ipv4Argument, macArgument } from '../net/interface-facts';
import { interfaceList } from '../net/interface-list';
import type { NamedInterface } from '../net/interface-list';
import { LiveRoutes } from './live-routes';
import { PacketPort } from '../net/packet-port';
import { ReservedPort } from '../net/reserved-port';
import { UdpPort } from '../net/udp-port';
import { newRoceAgent, roceIpHeaders } from './roce-agent';

const LINK_RATE: BitsPerSecond = gigabitsPerSecond(10);
const SECRET_LENGTH = 32;
/** Enough for the compiler, in a fifth of a second. */
const WARM_UP_SEGMENTS = 6000;
/** Base RTT until T is measured; and of incoming flows, whose T matters to their senders only. */
const BASE_RTT: Duration = milliseconds(1);
/**
 * Processes cannot do without their turns, and packets of slow links are long: ten of them make one that
 * waits weigh a tenth in U.
 */
const MEASURED_BASE_RTT: BaseRttOptions = { floor: microseconds(300), framesMin: 10 };

/** An interface of a host with its sockets open, and the agent of the flows that leave there. */
export interface OpenNic extends LiveNic {
  readonly facts: InterfaceFacts;
  /** The agent, as what compares settings with its peers. */
  readonly agreeing: AgreeingAgent;
  /** The same where the host hears when its link is to pause. */
  readonly pausable: PausableAgent | undefined;
}

/** Paths that a host may write into its packets, by its IPv4 address. */
export interface SourcePathsOf {
  /** @throws InputError for an address of no host. */
  from(address: number): SourceRoutes;
}

/** A host with its sockets open, not yet driven. */
export interface OpenHost {
  /** One for each of its links. */
  readonly nics: readonly [OpenNic, ...OpenNic[]];
  /** Ways by several interfaces; undefined where there is one. */
  readonly routes: LiveRoutes | undefined;
  /** Paths that it writes into packets; undefined where switches choose. */
  readonly sourceRoutes: SourceRoutes | undefined;
  readonly address: number;
  readonly mss: Bytes;
  readonly baseRtt: Duration;
  readonly deliveries: DeliveryCheck | undefined;
  readonly keyRing: KeyRing | undefined;
  /** The flows that this host starts bring their bytes to it. */
  readonly isReading: boolean;
  readonly meters: FlowMeters;
  /** Ids that its flows can have: from 0, fewer than that. */
  readonly flowIds: number;
  counters(): HostCounters;
  /** Frames through all interfaces. */
  portCounters(): PortCounters;
  /**
   * Has the code compiled that handles packets. To be called last before that: much of what is
   * compiled before the sockets are open is thrown away again.
   */
  warmUp(): void;
  drive(on: HostReactions): HostDriver;
  /** Closes what {@link HostDriver.stop} does not. */
  release(): void;
}

export interface HostReactions {
  readonly onEvent: (event: HostEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Parts of a host beside its settings. */
interface HostParts {
  /** Limit of each flow. */
  readonly rateMax: BitsPerSecond | undefined;
  /** Those of {@link HostSettings.sourceRouting}. */
  readonly sourcePaths: SourcePathsOf | undefined;
}

/**
 * Opens the sockets of a host.
 * @param network in which its interfaces are.
 * @throws InputError naming the option, interface, right or port that stands against it.
 */
export function openHost(
  options: HostSettings,
  { rateMax, sourcePaths }: HostParts,
  network: NetworkPlace,
): OpenHost {
  const named = interfaceList(options.interface);
  const links = linksOf(named, options);
  const [first] = links;
  const address = ownAddress(options, links);
  const baseRtt = baseRttOf(options);
  const isRoce = options.framing === 'rocev2';
  const mss = options.mss ?? (isRoce ? PATH_MTU : MSS);
  const { hopLimit } = options;
  const { asksSojourn = false, switchesChoose } = configurationOf(options).feedback;
  const asks = { asksSojourn, switchesChoose: switchesChoose === true };
  const { linkRate } = first;
  const carrier = newCarrier(carrierOf(options), { linkRate, hopLimit, ...asks });
  const own = dataHeaderLength(carrier) + FLOW_TOKEN_LENGTH - ETHERNET_LENGTH;
  const headers = isRoce ? roceIpHeaders(carrier) : own;
  const lengths = { mss, headers, hops: hopLimit, hopLength: carrier.hopLength };
  for (const { facts } of links) checkMtu(facts, lengths);
  const deliveries = options.checksum ? new DeliveryCheck() : undefined;
  const meters = new FlowMeters(routeOf(options).algorithmAt, rateMax);
  const keyRing = options.keys === undefined ? undefined : ringOf(readKeyFile(options.keys));
  const plainAt = ({ mac, linkRate: rate }: OwnLink): HostConfig => ({
    ...hostConfig(options, { address, mac, linkRate: rate, mss }, keyRing),
    meter: meters.meterOnly,
  });
  const sourceRoutes = sourcePaths?.from(address);
  const shared = { deliveries, meters, sourceRoutes, address, mss };
  const agents = links.map((link) => nicAgent(options, plainAt(link), { ...shared, link }));
  const portOf = destinationPort(carrier);
  const { ports, release } = openPorts(options, { links, address, portOf });
  const [nic, ...others] = agents.map((each, i) => ({ ...each, port: ports[i] as FramePort }));
  const nics = [nic as OpenNic, ...others] as const;
  const names = links.map(({ facts }) => facts.name);
  const routes = nics.length === 1 ? undefined : new LiveRoutes(names, network);
  return {
    nics: [...nics],
    routes,
    sourceRoutes,
    address,
    mss,
    baseRtt,
    deliveries,
    keyRing,
    release,
    isReading: options.operation === 'read',
    meters,
    flowIds: isRoce ? ROCE_FLOW_IDS : FLOW_IDS,
    counters: () => sumOfHosts(nics.map(({ agent }) => agent.counters())),
    portCounters: () => sumOfPorts(nics.map(({ port }) => port.counters())),
    // The link of a warm-up speaks INT.
    warmUp: () =>
      isRoce ? undefined : warmUpOnce(options, { ...plainAt(first), carrier: { name: 'int' } }),
    drive: (on) => {
      const clock = startClock();
      if (routes === undefined) {
        const { agent, port } = nics[0];
        return new LiveHost({ clock, agent, port, linkRate, baseRtt, ...on });
      }
      return new LiveNics({
        clock,
        nics,
        routes,
        baseRtt,
        // Processes of several hosts, and those that follow each other, begin at different interfaces.
        number: address + (options.firstFlow ?? randomInt(nics.length)),
        ownerOf: frameOwnerReader(options.framing, address, carrier),
        destinationOf: (packet) => destinationOf(packet, carrier),
        ...on,
      });
    },
  };
}

/** Peers with other settings, each once, whichever interfaces their packets came by. */
export function differingPeers(nics: readonly OpenNic[]): readonly DifferingPeer[] {
  const all = nics.flatMap(({ agreeing }) => agreeing.differing);
  return [...new Map(all.map((each) => [each.peerAddress, each])).values()];
}

/** A link of the host: its interface, and what was given in its place. */
interface OwnLink {
  readonly facts: InterfaceFacts;
  readonly mac: number;
  readonly linkRate: BitsPerSecond;
}

/** Facts of the links. Some of several may be down, and come up later. */
function linksOf(
  named: readonly NamedInterface[],
  options: HostSettings,
): readonly [OwnLink, ...OwnLink[]] {
  const links = named.map(({ name, rate }): OwnLink => {
    const facts = interfaceFacts(name, { mayBeDown: named.length > 1 });
    const mac = options.mac === undefined ? facts.mac : macArgument('--mac', options.mac);
    return { facts, mac, linkRate: rate ?? options.linkRateBps ?? facts.linkRate ?? LINK_RATE };
  });
  if (links.every(({ facts }) => !facts.isUp)) {
    const names = named.map(({ name }) => name).join(', ');
    throw new InputError(`all interfaces are down: ${names} (ip link set ${named[0]?.name} up)`);
  }
  const [first, ...others] = links;
  return [first as OwnLink, ...others];
}

interface NicParts {
  readonly deliveries: DeliveryCheck | undefined;
  readonly meters: FlowMeters;
  readonly sourceRoutes: SourceRoutes | undefined;
  readonly address: number;
  readonly mss: Bytes;
  readonly link: OwnLink;
}

/** The agent of the flows that leave by a link. */
function nicAgent(
  options: HostSettings,
  plain: HostConfig,
  { deliveries, meters, sourceRoutes, address, mss, link }: NicParts,
): Omit<OpenNic, 'port'> {
  const config: HostConfig = {
    ...plain,
    meter: meters.meter,
    sourceRoutes,
    ...(options.coordination !== undefined && {
      coordination: coordinationOf(options, options.coordination),
    }),
    ...(deliveries && { deliver: deliveries.deliver }),
  };
  const inner =
    options.framing === 'rocev2' ? newRoceAgent(options, config) : new HostAgent(config);
  const agreeing = new AgreeingAgent(inner, {
    address,
    mac: link.mac,
    settings: { ...options, mss },
    retryAfter: milliseconds(options.rtoMs),
  });
  const pausable = pausableAgent(options, agreeing, link.linkRate);
  return { ...link, agreeing, pausable, agent: pausable ?? agreeing };
}

/** Frames of a live host are of one class, so that it stops as a whole; a UDP socket sees no pauses. */
function pausableAgent(
  { transport, pfcPriority: priority, pfcWatchdogMs }: HostSettings,
  inner: Agent,
  linkRate: BitsPerSecond,
): PausableAgent | undefined {
  if (transport === 'udp') return undefined;
  const patience = milliseconds(pfcWatchdogMs);
  return new PausableAgent(inner, {
    linkRate,
    priorityOf: () => priority,
    priorities: [priority],
    watchdog: patience > 0 ? { detect: patience, restore: patience } : undefined,
  });
}

/** Kinds of hosts whose code this process has compiled already. */
const WARM = new Set<string>();

/** Hosts that share a process, of which another may have begun to send, are not held up twice. */
function warmUpOnce(options: HostSettings, config: HostConfig): void {
  const kind = `${options.algorithm} ${JSON.stringify(routeOf(options))}`;
  if (WARM.has(kind)) return;
  WARM.add(kind);
  optimiseFromNow();
  warmUp(config, WARM_UP_SEGMENTS);
}

/** All links of a host have the address, and one of them tells it. */
function ownAddress(
  { address, interface: names }: HostSettings,
  links: readonly OwnLink[],
): number {
  if (address !== undefined) return ipv4Argument('--address', address);
  const known = [...new Set(links.flatMap(({ facts }) => facts.ipv4?.address ?? []))];
  const [first, second] = known;
  if (first === undefined) {
    const what = links.length === 1 ? `interface ${names} has` : `interfaces ${names} have`;
    throw new InputError(`${what} no IPv4 address; give one with --address`);
  }
  if (second === undefined) return first;
  throw new InputError(
    `interfaces ${names} have ${known.map(formatIpv4).join(' and ')}, and a host has one address: ` +
      'give it with --address',
  );
}

interface DataLengths {
  readonly mss: Bytes;
  readonly headers: Bytes;
  readonly hops: number;
  /** Bytes that each of them adds. */
  readonly hopLength: Bytes;
}

/** Links have the capacity of the host's own where packets do not tell it. */
const carrierOf = ({ carrier = 'int', ...options }: HostSettings): CarrierOptions => ({
  name: carrier,
  ipVersion: options.ipVersion,
  usids: options.sourceRouting !== undefined,
  ...(options.csigDomain !== undefined && { csig: options.csigDomain }),
});

/** Data with the telemetry of a whole path must fit, or switches could not add theirs. */
function checkMtu(
  { name, mtu }: InterfaceFacts,
  { mss, headers, hops, hopLength }: DataLengths,
): void {
  const needed = mss + headers + hops * hopLength;
  if (needed <= mtu) return;
  const parts = `${mss} bytes of payload, ${headers} of headers and ${hops} hops of telemetry`;
  throw new InputError(
    `${parts} need an MTU of ${needed}, and ${name} has ${mtu}: lower --mss or --hop-limit`,
  );
}

interface Identity {
  readonly address: number;
  readonly mac: number;
  readonly linkRate: BitsPerSecond;
  readonly mss: Bytes;
}

function hostConfig(
  options: HostSettings,
  identity: Identity,
  keyRing: KeyRing | undefined,
): HostConfig {
  const { host, feedback } = configurationOf(options);
  const isMoved = options.coordination !== undefined && options.framing !== 'rocev2';
  return {
    // Switches that coordinate move flows while packets are on their way: what is late then is not lost.
    ...(isMoved && { lossRecovery: 'selective-repeat' as const }),
    ...host,
    ...identity,
    baseRtt: baseRttOf(options),
    ...(measuresBaseRtt(options) && { measureBaseRtt: MEASURED_BASE_RTT }),
    carrier: carrierOf(options),
    congestionControl: factoryOf(options),
    signals: algorithmOf(options).signals,
    feedback,
    ...(keyRing !== undefined && { keyRing }),
    ...(options.answerKeys !== undefined && {
      answerKeys: readAnswerKeys(options.answerKeys),
    }),
    opening: newOpening(),
    // Peers that run on remember the flows of the process that had this address before.
    firstGeneration: Math.floor(Date.now() / 1000) % GENERATIONS,
  };
}

/** Every process has its own secret: cookies of the one before are of no use. */
function newOpening(): OpeningOptions {
  return {
    nonce: () => readFlowToken(randomBytes(FLOW_TOKEN_LENGTH), 0),
    secret: randomBytes(SECRET_LENGTH),
    mac: hmacSha256,
  };
}

function coordinationOf(options: HostSettings, keyFile: string): CoordinationOptions {
  return { keys: readNotificationKeys(keyFile), ...configurationOf(options).coordination };
}

/** The algorithm of the flows whose control runs here. */
const factoryOf = (options: HostSettings): CongestionControlFactory =>
  algorithmOf(options).factory({
    ...tuningGiven(options),
    ...(checksPlausibility(options) && { plausibilityLimits: limitsOf(options) }),
  });

const SLACK_MIN_MS = 10;

/** Keys protect feedback only: what is written on the way to the receiver, it signs as it came. */
const checksPlausibility = ({ plausibility, keys }: HostSettings): boolean =>
  plausibility === 'on' || (plausibility === undefined && keys !== undefined);

function limitsOf({ queueCapacityBytes, fastestLinkBps, rtoMs }: HostSettings): PlausibilityLimits {
  return {
    // Processes wait for their turn, and packets with them: a clock seems to run ahead by as much.
    slackTime: milliseconds(Math.max(SLACK_MIN_MS, rtoMs)),
    ...(queueCapacityBytes !== undefined && { queueBytesMax: queueCapacityBytes }),
    ...(fastestLinkBps !== undefined && { capacityMax: fastestLinkBps }),
  };
}

/** T, or what flows begin with that measure it. */
function baseRttOf({ baseRttUs }: HostSettings): Duration {
  return baseRttUs === 'auto' ? BASE_RTT : microseconds(baseRttUs);
}

interface PortFacts {
  readonly links: readonly OwnLink[];
  readonly address: number;
  readonly portOf: DestinationPort;
}

function openPorts(
  { transport, framing, coordination }: HostSettings,
  { links, address, portOf }: PortFacts,
): { readonly ports: readonly FramePort[]; readonly release: () => void } {
  const udpPort = framing === 'rocev2' ? ROCE_PORT : HPCC_TRANSPORT_PORT;
  const isKernels = links.some(({ facts }) => facts.ipv4?.address === address);
  const [first] = links;
  if (transport === 'udp' && first !== undefined) {
    if (!isKernels) {
      throw new InputError(
        `--transport udp needs an address of ${first.facts.name}, and ${formatIpv4(address)} is none`,
      );
    }
    return { ports: [new UdpPort(address, first.facts.mtu)], release: () => undefined };
  }
  const listens = coordination !== undefined;
  const wanted = [...new Set([udpPort, HPCC_TRANSPORT_PORT, ...(listens ? [CCM_PORT] : [])])];
  const ports: PacketPort[] = [];
  try {
    for (const { facts } of links) ports.push(new PacketPort(facts.name, wanted, portOf));
    // The kernel does not answer for an address that is not its own.
    const reserved = isKernels ? wanted.map((each) => new ReservedPort(address, each)) : [];
    return { ports, release: () => reserved.forEach((each) => each.close()) };
  } catch (error) {
    for (const port of ports) port.close();
    throw error;
  }
}
