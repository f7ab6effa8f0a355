import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { SizedInfo, P4InfoIndex } from '../../../common/p4runtime/p4info';
import type {
  CounterCell,
  MeterCell,
  RegisterCell,
  CounterData,
  MeterConfig,
  MeterCounterData,
} from '../../entities/stateful-elements';
import { sentObject, signed64 } from './wire-values';
import { decodeData, encodeData } from './p4-data';

/**
 * The place of a cell in a counter, meter or register; without an index, all cells are meant.
 * @throws InputError naming the array and its size.
 */
export function cellIndex(
  kind: string,
  { name, size }: Pick<SizedInfo, 'name' | 'size'>,
  index: number | undefined,
): { readonly index?: p4.Index } {
  if (index === undefined) return {};
  if (!Number.isSafeInteger(index) || index < 0 || (size > 0 && index >= size)) {
    const wanted = `an index from 0 to ${size - 1}`;
    throw new InputError(`${kind} '${name}': wanted ${wanted}, found ${index}`);
  }
  return { index: new p4.Index({ index: String(index) }) };
}

/** The index of a cell that a switch has sent; none when it has none. */
function sentIndex(message: { readonly hasIndex: boolean; readonly index: p4.Index }): {
  readonly index?: number;
} {
  return message.hasIndex ? { index: Number(message.index.index) } : {};
}

/** The message of a counter's cell. @throws InputError naming counter and index. */
export function encodeCounter(
  { counters }: P4InfoIndex,
  { counter, index, data }: CounterCell,
): p4.CounterEntry {
  const info = counters.get(counter);
  return new p4.CounterEntry({
    counterId: info.id,
    ...cellIndex('counter', info, index),
    ...(data && { data: encodeCounterData(data, `counter '${info.name}'`) }),
  });
}

/** A counter's cell that a switch has sent. @throws InputError when P4Info lacks the counter. */
export const decodeCounter = (index: P4InfoIndex, message: p4.CounterEntry): CounterCell => ({
  kind: 'counter',
  counter: sentObject(index.counters, message.counterId).name,
  ...sentIndex(message),
  ...decodeCount(message),
});

/** The message of a meter's cell; without a configuration it is reset. @throws InputError */
export function encodeMeter(
  { meters }: P4InfoIndex,
  { meter, index, config }: MeterCell,
): p4.MeterEntry {
  const info = meters.get(meter);
  return new p4.MeterEntry({
    meterId: info.id,
    ...cellIndex('meter', info, index),
    ...(config && { config: encodeMeterConfig(config, `meter '${info.name}'`) }),
  });
}

/** A meter's cell that a switch has sent. @throws InputError when P4Info lacks the meter. */
export const decodeMeter = (index: P4InfoIndex, message: p4.MeterEntry): MeterCell => ({
  kind: 'meter',
  meter: sentObject(index.meters, message.meterId).name,
  ...sentIndex(message),
  ...decodeRates(message),
});

/** The message of a register's cell. @throws InputError naming register, index and type. */
export function encodeRegister(
  { registers }: P4InfoIndex,
  { register, index, value }: RegisterCell,
): p4.RegisterEntry {
  const info = registers.get(register);
  const what = `register '${info.name}'`;
  return new p4.RegisterEntry({
    registerId: info.id,
    ...cellIndex('register', info, index),
    ...(value !== undefined && { data: encodeData(info.dataType, value, what) }),
  });
}

/** A register's cell that a switch has sent. @throws InputError when P4Info lacks the register. */
export function decodeRegister(index: P4InfoIndex, message: p4.RegisterEntry): RegisterCell {
  const info = sentObject(index.registers, message.registerId);
  const what = `register '${info.name}'`;
  return {
    kind: 'register',
    register: info.name,
    ...sentIndex(message),
    ...(message.hasData && { value: decodeData(info.dataType, message.data, what) }),
  };
}

/** The contents of a counter, as a message. @throws InputError when it exceeds 63 bits. */
export function encodeCounterData({ packets, bytes }: CounterData, what: string): p4.CounterData {
  return new p4.CounterData({
    packetCount: signed64(packets, `${what}, packets`),
    byteCount: signed64(bytes, `${what}, bytes`),
  });
}

export function decodeCounterData({ packetCount, byteCount }: p4.CounterData): CounterData {
  return { packets: BigInt(packetCount), bytes: BigInt(byteCount) };
}

/** The contents of a counter that a switch has sent, where it has. */
export const decodeCount = (message: {
  readonly hasData: boolean;
  readonly data: p4.CounterData;
}): { readonly data?: CounterData } =>
  message.hasData ? { data: decodeCounterData(message.data) } : {};

/** The rates of a meter, as a message. @throws InputError when a number exceeds 63 bits. */
export function encodeMeterConfig(config: MeterConfig, what: string): p4.MeterConfig {
  const { cir, cburst, pir, pburst, eburst = 0n } = config;
  return new p4.MeterConfig({
    cir: signed64(cir, `${what}, cir`),
    cburst: signed64(cburst, `${what}, cburst`),
    pir: signed64(pir, `${what}, pir`),
    pburst: signed64(pburst, `${what}, pburst`),
    eburst: signed64(eburst, `${what}, eburst`),
  });
}

export function decodeMeterConfig(message: p4.MeterConfig): MeterConfig {
  const eburst = BigInt(message.eburst);
  return {
    cir: BigInt(message.cir),
    cburst: BigInt(message.cburst),
    pir: BigInt(message.pir),
    pburst: BigInt(message.pburst),
    ...(eburst !== 0n && { eburst }),
  };
}

export function decodeMeterCounters(message: p4.MeterCounterData): MeterCounterData {
  const one = (data: p4.CounterData | undefined): CounterData =>
    decodeCounterData(data ?? new p4.CounterData({}));
  return {
    green: one(message.hasGreen ? message.green : undefined),
    yellow: one(message.hasYellow ? message.yellow : undefined),
    red: one(message.hasRed ? message.red : undefined),
  };
}

/** Rates and counters per colour of a meter that a switch has sent, where it has. */
export const decodeRates = (message: {
  readonly hasConfig: boolean;
  readonly config: p4.MeterConfig;
  readonly hasCounterData: boolean;
  readonly counterData: p4.MeterCounterData;
}): { readonly config?: MeterConfig; readonly counters?: MeterCounterData } => ({
  ...(message.hasConfig && { config: decodeMeterConfig(message.config) }),
  ...(message.hasCounterData && { counters: decodeMeterCounters(message.counterData) }),
});
