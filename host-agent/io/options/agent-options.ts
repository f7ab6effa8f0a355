import type { LogChoice } from '../../../common/io/log';
import type { BitsPerSecond, Bytes } from '../../../common/units/units';
import type { CsigDomain } from '../../../common/wire/csig/csig-domain';
import type { CarrierName } from '../../carrier/carriers';
import type { FeedbackRoute } from '../../feedback/feedback-plan';
import type { RoundEnd } from '../../feedback/round-clock';
import type { AdmissionOptions } from '../../path/admission';
import type { RoceOperation } from '../../roce/queue-pair/roce-config';
import type { LossRecovery } from '../../transport/recovery/loss-recovery';

/** How frames get on the wire; see docs/agent.md for what `udp` cannot do. */
export const TRANSPORTS = ['packet', 'udp'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** What packets look like: the reliable flow of this project, or RoCEv2. */
export const FRAMINGS = ['hpcc', 'rocev2'] as const;
export type FramingName = (typeof FRAMINGS)[number];

/** What tells of waiting packets: the length of the queue, or the time that packets spend in their own. */
export const QUEUE_MEASURES = ['length', 'sojourn'] as const;

/** A host on an interface of this machine, as a command line describes it. */
export interface AgentOptions extends LogChoice {
  readonly interface: string;
  readonly transport: TransportName;
  /** Default: hpcc. */
  readonly framing?: FramingName;
  /** With RoCEv2: what carries the flows that this host starts. Default: write. */
  readonly operation?: RoceOperation;
  /** IPv4 address; that of the interface unless given. */
  readonly address?: string;
  /** MAC address; that of the interface unless given. */
  readonly mac?: string;
  /** In bits/s; what the interface says unless given. */
  readonly linkRate?: BitsPerSecond;
  /** Queue of the host's frames at the switch, from 0 to 7; pauses of others do not concern it. Default: 0. */
  readonly pfcPriority?: number;
  /** T in us, or each flow that this host starts measures it. */
  readonly baseRttUs: number | 'auto';
  /** Shortest time without progress before a flow goes back, in ms. */
  readonly retransmissionMs: number;
  /**
   * What flows that this host starts do about missing packets. Default: selective-repeat with
   * `coordination` over UDP, where switches move flows, else go-back-n.
   */
  readonly lossRecovery?: LossRecovery;
  readonly mss?: Bytes;
  readonly hopLimit: number;
  readonly acknowledgeEvery: number;
  readonly feedback: FeedbackRoute;
  /** What packets ask switches with. Default: int. */
  readonly carrier?: CarrierName;
  /** What the buckets of CSIG mean, as its switches were told. */
  readonly csigDomain?: CsigDomain;
  /** One of so many data packets collects telemetry; each unless given. */
  readonly collectEvery?: number;
  /** The receiver counts the flows on its link, from which W_ai follows. */
  readonly countFlows?: boolean;
  /** What ends a round of an algorithm at the receiver. Default: epoch. */
  readonly roundsEndBy?: RoundEnd;
  /** The receiver tells the load of the fullest link and no links. */
  readonly hideLinks?: boolean;
  /** Distinct paths that each flow chooses among; the one that it has unless given. */
  readonly paths?: number;
  /** File with the keys that sign feedback; read again at SIGHUP. */
  readonly keys?: string;
  /** Default: length. */
  readonly queueMeasure?: (typeof QUEUE_MEASURES)[number];
  /** Whether flows ask switches of the profile hpcc-feedback to answer them, and use the answers. */
  readonly switchResponses?: boolean;
  /** File with the keys of switches that sign their answers; others are refused. */
  readonly answerKeys?: string;
  /** Switches of the profile hpcc-sparse choose which packets they write into. */
  readonly switchesChoose?: boolean;
  /** Whether telemetry is refused that the network cannot have sent. Default: on where there are keys. */
  readonly plausibility?: 'off' | 'on';
  /** The deepest queue of the network; no telemetry is believed beyond it. */
  readonly queueCapacityBytes?: Bytes;
  /** The fastest link of the network, in bits/s; no telemetry is believed beyond it. */
  readonly fastestLinkBps?: BitsPerSecond;
  /** File with the keys of switches that coordinate; their notifications are obeyed. */
  readonly coordination?: string;
  /** In ms; a flow is released so long after the last type 1. Default: 10 base RTTs. */
  readonly coordinationHoldMs?: number;
  /** Whether a type 3 makes a flow leave from another source port. Default true. */
  readonly sourceRerouting?: boolean;
  /** What steers flows; hpccpp unless given. A file must have been loaded. */
  readonly algorithm?: string;
  readonly targetUtilization?: number;
  readonly maxStage?: number;
  readonly expectedFlows?: number;
  /** Payload has checksums: sent flows carry bytes other than zeros. */
  readonly checksum: boolean;
  /** Whom the process becomes when its sockets are open. */
  readonly user?: string;
  /** Where Prometheus finds metrics: HOST:PORT or PORT. */
  readonly metrics?: string;
}

/** What to send: so many bytes per flow, or for so long. */
export type TrafficAmount =
  | { readonly kind: 'bytes'; readonly bytes: Bytes }
  | { readonly kind: 'time'; readonly seconds: number };

/** Flows that an agent sends, as a command line describes them. */
export interface SendOptions {
  readonly destination: string;
  /** MAC address of the next hop; found by the kernel's tables or ARP unless given. */
  readonly peerMac?: string;
  readonly amount: TrafficAmount;
  readonly parallel: number;
  /** Class of the flows. Default: 0. */
  readonly dscp?: number;
  /** Flows wait until their path has room. Default: they begin at once. */
  readonly admission?: AdmissionOptions;
  /** Limit per flow, in bits of the wire per second. */
  readonly rate?: BitsPerSecond;
  /** Id of the first flow; random unless given. */
  readonly firstFlow?: number;
  /** How long the receiver may acknowledge nothing. */
  readonly timeoutSeconds: number;
  readonly intervalSeconds: number;
  /** File for a line of JSON per update of a flow's window. */
  readonly trace?: string;
  /** Unix time in seconds at which flows begin; at once unless it is in the future. */
  readonly startAt?: number;
  /** For so long a flow that does not count goes before them. Default: none does. */
  readonly rehearsalSeconds?: number;
}

/** Control of the kernel's TCP connections at an interface, as a command line describes it. */
export interface TcpAgentOptions extends LogChoice {
  readonly interface: string;
  /** IPv4 address of the connections; that of the interface unless given. */
  readonly address?: string;
  /** In bits/s; what the interface says unless given. */
  readonly linkRate?: BitsPerSecond;
  /** T; measured unless given. */
  readonly baseRttUs?: number;
  readonly hopLimit: number;
  readonly targetUtilization?: number;
  readonly maxStage?: number;
  readonly expectedFlows?: number;
  /** Local or remote ports of the connections of interest; empty: all. */
  readonly ports: readonly number[];
  /** Probes leave at this interval, in ms, and nothing is controlled. */
  readonly observeEveryMs?: number;
  readonly rewritesWindows: boolean;
  /** File for one line of JSON per sample. */
  readonly trace?: string;
  /** Whom the process becomes when its sockets are open. */
  readonly user?: string;
  /** Where Prometheus finds metrics: HOST:PORT or PORT. */
  readonly metrics?: string;
}
