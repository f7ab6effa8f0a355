import * as thrift from 'thrift';
import {
  SimplePreLag,
  SimpleSwitch,
  Standard,
  standardTypes,
} from '../../../common/thrift/generated-code';
import { counterCalls, registerCalls } from './array-calls';
import { deviceCalls } from './device-calls';
import { directTableCalls } from './direct-table-calls';
import { entryResourceCalls } from './entry-resource-calls';
import { indirectTableCalls } from './indirect-table-calls';
import { meterCalls } from './meter-calls';
import { multicastCalls } from './multicast-calls';
import { profileCalls } from './profile-calls';
import { asHandler } from './service-calls';
import { simpleSwitchCalls } from './simple-switch-calls';
import { ThriftMessageError, isTypeOfValue } from './stream/message-scanner';
import { tableReadCalls } from './table-read-calls';
import type { ThriftTarget } from './target';
import { StateError } from '../../control/table-control';
import type { HashControl, ValueSetControl, ValueSetMember } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';

/** Generated code of a service, which answers a message by the calls of a handler. */
interface Processor {
  process(input: thrift.TProtocol, output: thrift.TProtocol): void;
}

/** The parts of the package that its type declarations leave out. */
interface Undeclared {
  readonly TBufferedTransport: {
    receiver(take: (transport: thrift.TTransport) => void): (data: Buffer) => void;
  };
}

/**
 * The binary protocol with its version in front. Without one, the first four bytes would be a
 * length, and a client with another protocol would be waited for instead of refused.
 */
class StrictProtocol extends thrift.TBinaryProtocol {
  #begin: thrift.TMessage | undefined;

  constructor(transport: thrift.TTransport) {
    super(transport, true, true);
  }

  override skip(type: thrift.Thrift.Type): void {
    if (!isTypeOfValue(type)) throw otherElements();
    super.skip(type);
  }

  /**
   * Reads the name of a call. PERF: the package's own processor makes a copy of the protocol for each message.
   * @returns the service's name; the method's stays for the processor of the service.
   * @throws ThriftMessageError for a name without method or service.
   */
  readService(): ServiceName {
    const { fname, mtype, rseqid } = super.readMessageBegin();
    const [, service, method] = CALL_NAME.exec(fname) ?? [];
    if (service === undefined || method === undefined) {
      const wanted = 'wanted SERVICE:METHOD with one of the three services';
      throw new ThriftMessageError(`${wanted}, found '${fname.slice(0, NAME_SHOWN)}'`);
    }
    const { CALL, ONEWAY } = thrift.Thrift.MessageType;
    if (mtype !== CALL && mtype !== ONEWAY) throw new ThriftMessageError('wanted a call');
    this.#begin = { fname: method, mtype, rseqid };
    return service as ServiceName;
  }

  override readMessageBegin(): thrift.TMessage {
    return this.#begin ?? super.readMessageBegin();
  }
}

const CALL_NAME = /^(standard|simple_pre_lag|simple_switch):([^:]*)/;
type ServiceName = 'standard' | 'simple_pre_lag' | 'simple_switch';
type Processors = Readonly<Record<ServiceName, Processor>>;
/** Characters of a name that an error repeats. */
const NAME_SHOWN = 40;

/** Implements the calls of bmv2's three services, for any transport. */
export class ThriftServices {
  readonly #processors: Processors;

  /** @param thriftPort where the services listen, for those who ask. */
  constructor(target: ThriftTarget, thriftPort: () => number) {
    this.#processors = processorsOf(target, thriftPort);
  }

  /**
   * Answers one whole message, perhaps later.
   * @throws ThriftMessageError, TException or TProtocolException: what its message is refused with.
   */
  answer(message: Uint8Array, write: (bytes: Uint8Array) => void): void {
    const { TBufferedTransport } = thrift as unknown as Undeclared;
    const outgoing = new thrift.TBufferedTransport();
    outgoing.flush = () => {
      const { outBuffers } = outgoing as unknown as Outgoing;
      (outgoing as unknown as Outgoing).outBuffers = [];
      for (const piece of joined(outBuffers)) write(piece);
    };
    const receive = TBufferedTransport.receiver((incoming) => {
      const call = new StrictProtocol(incoming);
      this.#processors[call.readService()].process(call, new StrictProtocol(outgoing));
    });
    try {
      receive(Buffer.from(message));
    } catch (error) {
      throw isUnderrun(error) ? otherElements() : error;
    }
  }
}

/** Where the package collects an answer. */
interface Outgoing {
  outBuffers: Buffer[];
}

/** Bytes from which on a piece of an answer is sent as it is. */
const PIECE_BYTES = 4096;

/**
 * An answer in few pieces, the long ones as they are. PERF: the package copies each answer into memory of its own, and
 * answers with programs, which are the same bytes for everybody, would have packets wait for the collector.
 */
function joined(pieces: readonly Buffer[]): Buffer[] {
  const few: Buffer[] = [];
  let short: Buffer[] = [];
  const close = (): void => {
    if (short.length > 0) few.push(Buffer.concat(short));
    short = [];
  };
  for (const piece of pieces) {
    if (piece.length < PIECE_BYTES) {
      short.push(piece);
      continue;
    }
    close();
    few.push(piece);
  }
  close();
  return few;
}

/**
 * Generated code takes elements of lists for what the call declares, whatever type the message says they
 * have, so that it may read beyond the end of a whole message, or meet what is no value.
 */
const otherElements = (): ThriftMessageError =>
  new ThriftMessageError('a list has elements of another type than its call declares');

/** The package does not export this error. */
const isUnderrun = (error: unknown): boolean =>
  (error as Partial<Error> | undefined)?.name === 'InputBufferUnderrunError';

function processorsOf(target: ThriftTarget, thriftPort: () => number): Processors {
  const standard = {
    ...directTableCalls(target),
    ...indirectTableCalls(target),
    ...profileCalls(target),
    ...tableReadCalls(target),
    ...entryResourceCalls(target),
    ...registerCalls(target),
    ...counterCalls(target),
    ...meterCalls(target),
    ...valueSetCalls(target),
    ...hashCalls(target),
    ...deviceCalls(target, thriftPort),
  };
  const lag = multicastCalls(target);
  const simpleSwitch = simpleSwitchCalls(target);
  const handler = (calls: ServiceCalls): object => asHandler(calls, () => target.shared.changed());
  return {
    standard: new Standard.Processor(handler(standard)),
    simple_pre_lag: new SimplePreLag.Processor(handler(lag)),
    simple_switch: new SimpleSwitch.Processor(handler(simpleSwitch)),
  };
}

const { HashError, HashFailure } = standardTypes;

interface CrcMessage {
  readonly polynomial: number;
  readonly initialRemainder: number;
  readonly finalXor: number;
  readonly dataReflected: boolean;
  readonly remainderReflected: boolean;
}

function hashCalls(target: ThriftTarget): ServiceCalls {
  const hash = (name: string, algorithm: string): HashControl => {
    const found = target.program?.hashes.get(name);
    if (found === undefined) throw new HashFailure({ code: HashError.UNKNOWN_CALCULATION });
    if (found.algorithm === algorithm) return found;
    throw new HashFailure({ code: HashError.WRONG_ALGORITHM });
  };
  const setCrc = (width: 16 | 32, name: string, crc: CrcMessage): void => {
    const unsigned = (value: number): bigint => BigInt.asUintN(width, BigInt(value));
    hash(name, `crc${width}_custom`).setCrcParameters({
      polynomial: unsigned(crc.polynomial),
      initialRemainder: unsigned(crc.initialRemainder),
      finalXor: unsigned(crc.finalXor),
      dataReflected: crc.dataReflected,
      remainderReflected: crc.remainderReflected,
    });
  };
  return {
    bm_set_crc16_custom_parameters: (_context: number, name: string, crc: CrcMessage): void =>
      setCrc(16, name, crc),
    bm_set_crc32_custom_parameters: (_context: number, name: string, crc: CrcMessage): void =>
      setCrc(32, name, crc),
    bm_set_toeplitz_hash_key: (_context: number, name: string, key: Buffer): void => {
      try {
        hash(name, 'toeplitz').setToeplitzKey(key);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        throw new HashFailure({ code: HashError.BAD_PARAMETERS });
      }
    },
  };
}

const { ValueSetError, ValueSetFailure } = standardTypes;

function valueSetCalls(target: ThriftTarget): ServiceCalls {
  const set = (name: string): ValueSetControl => {
    const found = target.program?.valueSets.get(name);
    if (found === undefined) throw new ValueSetFailure({ code: ValueSetError.UNKNOWN_SET });
    return found;
  };
  return {
    bm_parse_vset_get: (_context: number, name: string): Buffer[] => {
      const found = set(name);
      return [...found.members()].flatMap((member) => bytesOf(found, member) ?? []);
    },
    bm_parse_vset_add: (_context: number, name: string, value: Buffer): void =>
      refused(() => set(name).add(valueOf(value))),
    bm_parse_vset_remove: (_context: number, name: string, value: Buffer): void =>
      refused(() => set(name).remove(valueOf(value))),
    bm_parse_vset_clear: (_context: number, name: string): void => set(name).clear(),
  };
}

/** All parts in one, big-endian; undefined for a member with masks, which Thrift cannot say. */
function bytesOf({ fieldWidths }: ValueSetControl, member: ValueSetMember): Buffer | undefined {
  let value = 0n;
  for (const [i, field] of member.entries()) {
    if (field.kind !== 'exact') return undefined;
    value = (value << BigInt(fieldWidths[i] ?? 0)) | field.value;
  }
  const width = fieldWidths.reduce((total, each) => total + each, 0);
  return Buffer.from(value.toString(16).padStart(2 * Math.ceil(width / 8), '0'), 'hex');
}

function valueOf(bytes: Buffer): bigint {
  if (bytes.length === 0) throw new ValueSetFailure({ code: ValueSetError.FAILED });
  return BigInt(`0x${bytes.toString('hex')}`);
}

function refused(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new ValueSetFailure({ code: ValueSetError.FAILED });
  }
}
