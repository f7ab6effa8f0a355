import { InputError } from '../../../common/errors';
import type { FlowEnvironment } from '../congestion-control';
import type { Signals } from '../signals';
import type { MarkingThresholds } from './algorithms';
import type { Constants } from './constants';

/** Makes the state of one flow; whatever it returns is checked. */
export type CustomCreate = (flow: FlowEnvironment, constants: Constants) => unknown;

/**
 * Exports of a custom algorithm's file (docs/custom-algorithm.md). Times are in ps, rates in bits/s, windows
 * in payload bytes.
 */
export interface CustomModule {
  readonly create: CustomCreate;
  readonly signals: Signals;
  readonly constants: Constants;
  /** Thresholds of marks, for algorithms whose packets can be marked. */
  readonly marking: MarkingThresholds;
}

const MARKING: MarkingThresholds = { minBytes: 300_000, maxBytes: 300_000, maxProbability: 1 };
const BYTES_MAX = 0xffff_ffff;

/** @throws InputError naming the file, the export, and what is wrong with it. */
export function checkModule(
  file: string,
  exported: Readonly<Record<string, unknown>>,
): CustomModule {
  const { create } = exported;
  if (typeof create !== 'function') {
    throw new InputError(`${file}: wanted an exported function 'create', found ${typeOf(create)}`);
  }
  return {
    create: create as CustomCreate,
    signals: checkSignals(file, tableOf(file, 'signals', exported['signals'])),
    constants: checkConstants(file, tableOf(file, 'constants', exported['constants'])),
    marking: checkMarking(file, exported['marking']),
  };
}

type Table = Readonly<Record<string, unknown>>;

function tableOf(file: string, name: string, value: unknown = {}): Table {
  if (typeof value === 'object' && value !== null) return value as Table;
  const found = value === null ? 'null' : typeof value;
  throw new InputError(`${file}: wanted ${name} as an object, found ${found}`);
}

function checkSignals(file: string, signals: Table): Signals {
  const { telemetry = 'hops', marks = false, timestamps = false } = signals;
  if (telemetry !== 'hops' && telemetry !== 'digest' && telemetry !== 'none') {
    const wanted = "signals.telemetry 'hops', 'digest' or 'none'";
    throw new InputError(`${file}: wanted ${wanted}, found ${String(telemetry)}`);
  }
  if (typeof marks !== 'boolean' || typeof timestamps !== 'boolean') {
    throw new InputError(`${file}: wanted signals.marks and signals.timestamps true or false`);
  }
  if (telemetry === 'hops' && timestamps) {
    throw new InputError(`${file}: signals.timestamps needs signals.telemetry 'digest' or 'none'`);
  }
  // A load in place of records reaches no file.
  return { telemetry, marks, timestamps, ...(telemetry === 'hops' && { needsLinks: true }) };
}

function checkConstants(file: string, constants: Table): Constants {
  for (const [name, value] of Object.entries(constants)) {
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    throw new InputError(`${file}: wanted constants.${name} as a number, found ${String(value)}`);
  }
  return constants as Constants;
}

function checkMarking(file: string, value: unknown): MarkingThresholds {
  if (value === undefined) return MARKING;
  const { minBytes, maxBytes, maxProbability } = tableOf(file, 'marking', value);
  const isDepth = (depth: unknown): depth is number =>
    typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 && depth <= BYTES_MAX;
  const isShare = typeof maxProbability === 'number' && maxProbability >= 0 && maxProbability <= 1;
  if (isDepth(minBytes) && isDepth(maxBytes) && minBytes <= maxBytes && isShare) {
    return { minBytes, maxBytes, maxProbability };
  }
  throw new InputError(
    `${file}: wanted marking as { minBytes, maxBytes, maxProbability }: whole bytes in this order, ` +
      'and a share from 0 to 1',
  );
}

/** Returns the type of a value, as error messages name it. */
export const typeOf = (value: unknown): string => (value === undefined ? 'nothing' : typeof value);
