import { setTimeout as sleep } from 'node:timers/promises';
import { note } from '../../common/io/terminal';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { parseLayers, parseTransport } from '../../common/telemetry/decode/frame-layers';
import type { CaptureTime } from '../../common/wire/capture/records';
import { WireFault } from '../../common/wire/fault';
import { captureBatches } from '../decode/frame-source';
import { Ending } from '../decode/print-telemetry';
import { RECEIVE_BYTES, ReportSocket } from './report-socket';
import type { ReportAddress } from './report-socket';

/** Takes the payload of a datagram, which is its own until it returns, and its time in ms since 1970 if it is known. */
export type TakeDatagram = (datagram: Buffer, timeMs: number | null) => void;

/** Taker of datagrams. */
export interface DatagramTaker {
  readonly take: TakeDatagram;
  /** Called when those that had come at a time have been taken. */
  readonly rest: () => void;
  /** True once it takes no more. */
  readonly isFull: () => boolean;
}

/** Datagrams of reports, from a socket or a capture. */
export interface ReportSource {
  /** Hands over datagrams until there are no more, the taker is full, or a signal comes. */
  run(taker: DatagramTaker): Promise<void>;
  /** Datagrams that the kernel has dropped; null where it does not say. */
  dropped(): number | null;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 100;

/** @throws InputError when it cannot listen there. */
export function socketSource(at: ReportAddress): ReportSource {
  const end = new Ending();
  const socket = new ReportSocket(at);
  return {
    async run({ take, rest, isFull }) {
      end.onSignals();
      const handle = (datagram: Buffer): void => {
        if (!isFull()) take(datagram, Date.now());
      };
      socket.start(handle, rest);
      const room = socket.room();
      if (room < RECEIVE_BYTES)
        note(
          `${room} bytes of reports may wait, of ${RECEIVE_BYTES}: raise net.core.rmem_max, or bursts are lost`,
        );
      note(`reports at UDP port ${at.port} of ${at.address}`);
      while (!end.isOver && !isFull()) {
        if (socket.failure !== undefined) throw socket.failure;
        await sleep(LOOK_EVERY_MS);
      }
      await socket.stop();
      if (socket.failure !== undefined) throw socket.failure;
      const dropped = socket.dropped();
      if (dropped === null) note('the kernel does not say how many datagrams it has dropped');
      else note(`${dropped} datagrams dropped by the kernel before they were read`);
    },
    dropped: () => socket.dropped(),
    close: async () => {
      await socket.stop();
      socket.close();
    },
  };
}

/** Datagrams to a port in a capture file, or in standard input for `-`. */
export function captureSource(capture: string, port: number): ReportSource {
  return {
    async run({ take, rest, isFull }) {
      for await (const batch of captureBatches(capture)) {
        rest();
        for (const { bytes, linkType, time } of batch) {
          if (isFull()) break;
          const datagram = payloadOf(bytes, linkType, port);
          if (datagram !== undefined) take(bufferOf(datagram), millisecondsOf(time));
        }
      }
      rest();
    },
    dropped: () => 0,
    close: () => Promise.resolve(),
  };
}

const millisecondsOf = (time: CaptureTime | undefined): number | null =>
  time === undefined ? null : time.seconds * 1000 + time.nanoseconds / 1e6;

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** Payload of a datagram to a port; undefined for other frames. */
function payloadOf(bytes: Uint8Array, linkType: number, port: number): Uint8Array | undefined {
  const place = { bytes, at: 0, wireEnd: Infinity, linkType };
  const layers = parseLayers(place, DEFAULT_DECODE_SETTINGS);
  if (layers instanceof WireFault || layers.ip === undefined) return undefined;
  const transport = parseTransport(bytes, layers.ip);
  if (transport === undefined || transport instanceof WireFault) return undefined;
  const { protocol, destinationPort, payloadOffset, end } = transport;
  return protocol === 'udp' && destinationPort === port
    ? bytes.subarray(payloadOffset, end)
    : undefined;
}
