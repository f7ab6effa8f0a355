import { writeUint16 } from '../../../common/wire/bytes';
import { checksumWords, finishChecksum } from '../../../common/wire/ip/checksum';
import type { FlowToken, HpccTransportHeader } from '../../../common/wire/hpcc/hpcc-transport';
import { FLOW_TOKEN_LENGTH } from '../../../common/wire/hpcc/hpcc-transport';
import { emitHpccTransport, noTransportHeader } from '../../../common/wire/hpcc/hpcc-transport';
import { stampPathShim } from '../../../common/wire/hpcc/path-shim';
import type { Bytes } from '../../../common/units/units';
import type { FrameMemory, FrameTail } from './frame-memory';
import type { CommonAddressing, PreparedHeaders } from './prepared-headers';
import { prepareHeaders } from './prepared-headers';

/** Places within a UDP header. */
const UDP_LENGTH_FIELD = 4;
const UDP_CHECKSUM = 6;

/** Addresses that all frames of one direction of a flow have in common. */
interface FrameAddressing extends CommonAddressing {
  readonly sourcePort: number;
}

/** Fields that the transport headers of a flow's frames of one type have in common. */
type TransportIdentity = Pick<HpccTransportHeader, 'type' | 'flowId' | 'generation' | 'token'>;

/** Fields that differ from frame to frame. */
export interface FrameFields {
  readonly flags: number;
  readonly sequence: number;
  /** Bytes after the transport header: payload or echo. */
  readonly length: Bytes;
  /** IPv4 identification, 16 bits. */
  readonly identification: number;
  /** UDP source port; default: that of the template. */
  readonly sourcePort?: number | undefined;
  /** Departure of the frame in ns modulo 2^48, or credit that the flow wants, for frames that carry it. */
  readonly stamp?: number | undefined;
}

/** All of some bytes. */
export const tailOf = (bytes: Uint8Array): FrameTail => ({ bytes, at: 0, length: bytes.length });

/** The fields of a frame. PERF: the same record for each of them. */
export function filled(flags: number, sequence: number, length: Bytes, stamp: number) {
  FIELDS.sourcePort = undefined;
  FIELDS.flags = flags;
  FIELDS.sequence = sequence;
  FIELDS.length = length;
  FIELDS.stamp = stamp;
  return FIELDS;
}

const FIELDS: { -readonly [Name in keyof Omit<FrameFields, 'identification'>]: FrameFields[Name] } =
  { flags: 0, sequence: 0, length: 0, stamp: 0, sourcePort: undefined };

/** PERF: filled in again for each frame. */
const TRANSPORT = noTransportHeader();

/**
 * A prepared frame, Ethernet to transport header.
 *
 * PERF: per frame one copy of the headers and about ten patched words. Checksums start from sums of
 * the words that never change, so that their cost does not depend on the length of the headers. The
 * headers can be shared; what is a flow's own are four numbers.
 */
export class FrameTemplate {
  readonly #headers: PreparedHeaders;
  readonly #sourcePort: number;
  readonly #type: HpccTransportHeader['type'];
  readonly #flowId: number;
  readonly #generation: number;
  readonly #token: FlowToken | undefined;

  /** @param prepare whose headers to use; default: headers of its own. */
  constructor(
    { sourcePort, ...common }: FrameAddressing,
    { type, flowId, generation, token }: TransportIdentity,
    prepare: (addressing: CommonAddressing) => PreparedHeaders = prepareHeaders,
  ) {
    this.#headers = prepare(common);
    this.#sourcePort = sourcePort;
    this.#type = type;
    this.#flowId = flowId;
    this.#generation = generation;
    this.#token = token;
  }

  /** Bytes of a frame before its payload or echo. */
  get headerLength(): Bytes {
    return this.#headers.bytes.length + this.#tokenLength();
  }

  /**
   * A frame of `headerLength + fields.length` bytes. The tail is stored if it is given, and is
   * virtual zeros otherwise.
   */
  emit(
    fields: FrameFields,
    memory: Pick<FrameMemory, 'take' | 'put'>,
    tail?: FrameTail,
  ): Uint8Array {
    const { bytes: headers, network, ipAt, udpAt, transportAt, gap, ipSum } = this.#headers;
    const headerLength = headers.length + this.#tokenLength();
    const bytes = memory.take(headerLength + (tail?.length ?? 0));
    bytes.set(headers);
    if (tail !== undefined) memory.put(tail, bytes, headerLength);
    const { flags, sequence, length, identification } = fields;
    const behindIp = headerLength - ipAt - network.headerLength + length;
    network.stamp(bytes, ipAt, { length: behindIp, identification }, ipSum);
    TRANSPORT.type = this.#type;
    TRANSPORT.flags = flags;
    TRANSPORT.flowId = this.#flowId;
    TRANSPORT.generation = this.#generation;
    TRANSPORT.length = length;
    TRANSPORT.sequence = sequence;
    TRANSPORT.token = this.#token;
    emitHpccTransport(TRANSPORT, bytes, transportAt);
    const { stampAt } = this.#headers;
    if (stampAt !== undefined) stampPathShim(fields.stamp ?? 0, bytes, stampAt);
    const udpLength = headerLength - udpAt - gap + length;
    this.#stampUdp(bytes, udpLength, fields.sourcePort ?? this.#sourcePort);
    return bytes;
  }

  #tokenLength(): Bytes {
    return this.#token === undefined ? 0 : FLOW_TOKEN_LENGTH;
  }

  /** The pseudo-header has the length too, and what follows the UDP header is summed as it is. */
  #stampUdp(bytes: Uint8Array, udpLength: number, sourcePort: number): void {
    const { udpAt, transportAt, stampAt, udpSum } = this.#headers;
    writeUint16(bytes, udpAt, sourcePort);
    writeUint16(bytes, udpAt + UDP_LENGTH_FIELD, udpLength);
    // The time was 0 where the sum of the constant words was taken.
    const behind = checksumWords(
      bytes,
      stampAt === undefined ? transportAt : stampAt + 2,
      bytes.length,
    );
    const sum = udpSum + sourcePort + 2 * udpLength + behind;
    writeUint16(bytes, udpAt + UDP_CHECKSUM, nonZero(finishChecksum(sum)));
  }
}

/** RFC 768: a computed zero is sent as all ones, because zero means "no checksum". */
function nonZero(checksum: number): number {
  return checksum === 0 ? 0xffff : checksum;
}
