import type { FeedbackRoute } from '../../host-agent/feedback/feedback-plan';
import type { HostFlags } from './host-flags';

/** What a rule may look at. */
export interface Asked {
  readonly flags: HostFlags;
  readonly route: FeedbackRoute;
  /** Flows leave this host. */
  readonly sends: boolean;
}

/** When an option that was given is refused, and what is said then. */
export type Rule = readonly [isRefused: (asked: Asked) => boolean, sentence: string];

/** One option of `hpcc agent` and `hpcc send`: type, unit and range, and what it goes with. */
export interface HostOption {
  readonly section: string;
  readonly flags: string;
  readonly text: string;
  /** Reads the value, or fails with what it must be; absent: a switch, or a word. */
  readonly value?: (text: string) => unknown;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  readonly isRequired?: true;
  /** Whether `hpcc send` has it too; only `hpcc agent` controls the kernel's TCP. */
  readonly agentOnly?: true;
  /** What `--tcp` does with it; absent: nothing, it is about the own transport. */
  readonly withTcp?: 'reads' | 'needed';
  readonly framing?: 'hpcc' | 'rocev2';
  /** A value that asks for nothing. */
  readonly idle?: unknown;
  readonly rules?: readonly Rule[];
}

export const hasPaths = ({ flags: { paths = 1 } }: Asked): boolean => paths > 1;
export const hidesLinks = ({ flags }: Asked): boolean => flags.hideLinks === true;
export const isUdp = ({ flags }: Asked): boolean => flags.transport === 'udp';
export const hasOtherCarrier = ({ flags: { carrier = 'int' } }: Asked): boolean =>
  carrier !== 'int';
export const isRemote = ({ route }: Asked): boolean => route.algorithmAt === 'receiver';
export const collectsByProbes = ({ route }: Asked): boolean => route.collectBy === 'probe';
export const isPlausible = ({ flags: { plausibility, keys } }: Asked): boolean =>
  plausibility === 'on' || (plausibility === undefined && keys !== undefined);
export const isCoordinated = ({ flags }: Asked): boolean => flags.coordination !== undefined;
export const isUncoordinated = (asked: Asked): boolean => !isCoordinated(asked);
export const namesRoute = ({ flags: { collect, return: back, controlAt } }: Asked): boolean =>
  [collect, back, controlAt].some((value) => value !== undefined);

/** Those that begin behind the UDP header, of which a UDP socket sees everything. */
const CARRIERS_BEHIND_UDP: ReadonlySet<string> = new Set(['int', 'padding']);
/** A carrier that begins before UDP shall go through a UDP socket. */
export const isBelowUdpSocket = (asked: Asked): boolean =>
  isUdp(asked) && !CARRIERS_BEHIND_UDP.has(asked.flags.carrier ?? 'int');

type Row = Omit<HostOption, 'section'>;
type More = Omit<Row, 'flags' | 'text'>;
/** A row of the table of options. */
export const at = (flags: string, text: string, more: More = {}): Row => ({ flags, text, ...more });
/** The rows of a section of the help text. */
export const inSection = (section: string, options: readonly Row[]): HostOption[] =>
  options.map((option) => ({ section, ...option }));
