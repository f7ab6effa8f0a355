import { InputError } from '../../../common/errors';
import { parseNumber, parseWhole } from '../../../common/units/number-text';
import { PAUSE_CLASSES, PAUSE_FRAME_LENGTH, QUANTA_MAX } from '../../../common/wire/ip/mac-control';
import { PS_PER_MS } from '../../../common/units/units';
import type { BitsPerSecond, Bytes, PortNumber } from '../../../common/units/units';
import type { BufferOptions, LosslessOptions } from '../../buffer/shared-buffer';
import { STORM_ACTIONS } from '../../buffer/storm-options';
import type { StormAction, WatchdogOptions } from '../../buffer/storm-options';
import type { SplitFlags } from './split-flags';

const BYTES_MAX = 1e12;
const ALPHA_MAX = 1024;
const ALPHAS_MAX = 32;
/** Longest frame of standard Ethernet. */
const FRAME: Bytes = 1518;
/**
 * Time in which a link still brings frames after a pause is due: processes at both of its ends have
 * to get their turn first, and one that was late sends what had been due meanwhile.
 */
const REACTION_SECONDS = 0.005;

const OF_BUFFER = ['buffer-alpha', 'buffer-reserved-bytes', 'pfc-priorities'] as const;
const OF_PAUSES = [
  'pfc-headroom-bytes',
  'pfc-resume-offset-bytes',
  'pfc-quanta',
  'pfc-watchdog-ms',
  'pfc-restore-ms',
  'pfc-storm-action',
] as const;
/** Times of the watchdog unless given, in milliseconds; those of switches of the field. */
const WATCHDOG_MS = 200;
const WATCHDOG_MS_MAX = 3_600_000;

/** Ports and links, on which the size of the memory depends. */
export interface BufferedPorts {
  readonly interfaces: ReadonlyMap<PortNumber, string>;
  readonly linkRates: ReadonlyMap<PortNumber, BitsPerSecond>;
  readonly queueDepths: ReadonlyMap<PortNumber, number>;
  readonly priorityQueues: number;
}

/**
 * Reads the flags of the memory that ports share; undefined without any.
 * @throws InputError naming the flag, what it takes and what was found.
 */
export function readBuffer(split: SplitFlags, ports: BufferedPorts): BufferOptions | undefined {
  const bytes = optional(split, 'buffer-bytes', (text) => positive('buffer-bytes', text));
  if (bytes === undefined) {
    refuse(split, [...OF_BUFFER, ...OF_PAUSES], '--buffer-bytes, the memory that ports share');
    return undefined;
  }
  checkRates(ports);
  const alphas = optional(split, 'buffer-alpha', readAlphas) ?? [1];
  const reservedBytes = optional(split, ...bytesOf('buffer-reserved-bytes')) ?? 0;
  const lossless = readLossless(split, ports);
  return { bytes, alphas, reservedBytes, lossless };
}

function readLossless(split: SplitFlags, ports: BufferedPorts): LosslessOptions | undefined {
  const text = last(split, 'pfc-priorities');
  if (text === undefined) {
    refuse(split, OF_PAUSES, '--pfc-priorities, the queues that lose nothing');
    return undefined;
  }
  const priorities = readPriorities(text, ports.priorityQueues);
  const [limited] = ports.queueDepths.keys();
  if (limited !== undefined) {
    throw new InputError(
      `--pfc-priorities excludes --queue-depth ${limited}=…, which would drop lossless packets`,
    );
  }
  const headroom = optional(split, ...bytesOf('pfc-headroom-bytes'));
  const quanta = optional(split, 'pfc-quanta', (each) => positive('pfc-quanta', each, QUANTA_MAX));
  return {
    priorities,
    headroomBytes: (port) => headroom ?? headroomOf(ports.linkRates.get(port) ?? 0),
    resumeOffsetBytes: optional(split, ...bytesOf('pfc-resume-offset-bytes')) ?? 2 * FRAME,
    quanta: quanta ?? QUANTA_MAX,
    watchdog: readWatchdog(split, ports),
  };
}

/**
 * The watchdog of pauses. Unless given, it waits for twice the time in which the slowest link empties the whole
 * memory, if that is longer than what switches of the field wait: an honest neighbour may take that long.
 */
function readWatchdog(split: SplitFlags, ports: BufferedPorts): WatchdogOptions | undefined {
  const ms = (name: string): number | undefined =>
    optional(split, name, (text) => wholeNumber(name, text, WATCHDOG_MS_MAX));
  const bytes = optional(split, 'buffer-bytes', (text) => positive('buffer-bytes', text)) ?? 0;
  const drainMs = (2 * bytes * 8 * 1000) / Math.min(...ports.linkRates.values());
  const detect = ms('pfc-watchdog-ms') ?? Math.max(WATCHDOG_MS, Math.ceil(drainMs));
  const restore = ms('pfc-restore-ms') ?? WATCHDOG_MS;
  const action = optional(split, 'pfc-storm-action', readAction) ?? 'drop';
  if (detect > 0) return { detect: detect * PS_PER_MS, restore: restore * PS_PER_MS, action };
  refuse(split, ['pfc-restore-ms', 'pfc-storm-action'], 'a --pfc-watchdog-ms above 0');
  return undefined;
}

function readAction(text: string): StormAction {
  const action = STORM_ACTIONS.find((each) => each === text);
  if (action !== undefined) return action;
  throw new InputError(
    `--pfc-storm-action takes ${STORM_ACTIONS.join(' or ')}, and '${text}' was given`,
  );
}

const headroomOf = (rate: BitsPerSecond): Bytes =>
  Math.ceil((REACTION_SECONDS * rate) / 8) + 3 * FRAME + PAUSE_FRAME_LENGTH;

/**
 * Checks that ports have rates: only then do queues fill here, and pauses count in the port's bit
 * times.
 */
function checkRates({ interfaces, linkRates }: BufferedPorts): void {
  for (const [port, name] of interfaces) {
    if (linkRates.has(port)) continue;
    throw new InputError(
      `--buffer-bytes needs the rate of each link: --link-rate-bps ${port}=… for ${name}`,
    );
  }
  if (linkRates.size > 0) return;
  throw new InputError(
    '--buffer-bytes needs the rate of each link, and there is no --link-rate-bps',
  );
}

function readPriorities(text: string, queues: number): number[] {
  const most = Math.min(queues, PAUSE_CLASSES) - 1;
  const priorities = text.split(',').map((each) => wholeUpTo(each, most));
  const known = priorities.filter((each) => each !== undefined);
  if (known.length === priorities.length && new Set(known).size === known.length) return known;
  throw new InputError(
    `--pfc-priorities takes queues from 0 to ${most}, such as 0,1, each once, and '${text}' was given; ` +
      '--priority-queues makes more of them',
  );
}

function readAlphas(text: string): number[] {
  const alphas = text.split(',').map((each) => parseNumber(each) ?? 0);
  const areFit = alphas.every((alpha) => alpha > 0 && alpha <= ALPHA_MAX);
  if (areFit && alphas.length <= ALPHAS_MAX) return alphas;
  throw new InputError(
    `--buffer-alpha takes a number above 0 and up to ${ALPHA_MAX}, or one per priority such as 1,0.5, ` +
      `and '${text}' was given`,
  );
}

const bytesOf = (name: string): [string, (text: string) => Bytes] => [
  name,
  (text) => wholeNumber(name, text, BYTES_MAX),
];

function positive(name: string, text: string, max = BYTES_MAX): number {
  const value = wholeUpTo(text, max);
  if (value !== undefined && value > 0) return value;
  throw new InputError(`--${name} takes a whole number from 1 to ${max}, and '${text}' was given`);
}

/** Flags that mean nothing without another one. */
function refuse(split: SplitFlags, names: readonly string[], without: string): void {
  const given = names.find((name) => has(split, name));
  if (given !== undefined) throw new InputError(`--${given} needs ${without}`);
}

/** All values given for a flag, in order. */
export const values = (split: SplitFlags, name: string): string[] =>
  split.given.filter(({ flag }) => flag.name === name).map(({ value }) => value);

export const has = (split: SplitFlags, name: string): boolean => values(split, name).length > 0;

/** The last one counts. */
export const last = (split: SplitFlags, name: string): string | undefined =>
  values(split, name).at(-1);

/** The last value of a flag, parsed by `read`; undefined without one. */
export function optional<T>(
  split: SplitFlags,
  name: string,
  read: (text: string) => T,
): T | undefined {
  const text = last(split, name);
  return text === undefined ? undefined : read(text);
}

/** Undefined for all but whole numbers up to `max`. */
export function wholeUpTo(text: string, max: number): number | undefined {
  const value = parseWhole(text);
  return value !== undefined && value <= max ? value : undefined;
}

/** @throws InputError naming the flag, what it takes and what was found. */
export function wholeNumber(name: string, text: string, max: number): number {
  const value = wholeUpTo(text, max);
  if (value !== undefined) return value;
  throw new InputError(`--${name} takes a whole number up to ${max}, and '${text}' was given`);
}
