import { InputError } from '../../common/errors';
import { PacketSocket } from '../../common/io/net/packet-socket';
import { viewPacket } from '../../common/telemetry/judge/packet-view';
import type { Device } from './device';
import { untilQuiet } from './until-quiet';
import { mayBe } from './sent-match';

/** Interfaces that lead to a device. */
export interface DeviceInterfaces {
  readonly in: string;
  readonly out: string;
  readonly collector: string | undefined;
}

interface InterfaceOptions {
  /** UDP port of reports. */
  readonly reportPort: number;
  /** Silence after which nothing more is expected. */
  readonly waitMs: number;
}

const FRAMES_AT_ONCE = 64;

/** A frame that never left says nothing of the device. */
function send({ sending, interfaceName }: PacketSocket, frame: Uint8Array): void {
  const { sent } = sending;
  sending.add(frame);
  sending.flush();
  if (sending.sent > sent) return;
  throw new InputError(
    `${interfaceName} did not take a frame of ${frame.length} bytes: is its link up, and its MTU enough?`,
  );
}

/**
 * A device behind network interfaces. Frames that the suite has not caused are passed over: only IP packets
 * between the addresses of what was sent count, and at the collector datagrams to the port of reports.
 */
export function interfaceDevice(names: DeviceInterfaces, options: InterfaceOptions): Device {
  const opened = new Map<string, PacketSocket>();
  const close = (): void => opened.forEach((socket) => socket.close());
  const socketOf = (name: string): PacketSocket => {
    const found = opened.get(name) ?? PacketSocket.open(name);
    opened.set(name, found);
    return found;
  };
  try {
    const into = socketOf(names.in);
    const out = socketOf(names.out);
    const collector = names.collector === undefined ? undefined : socketOf(names.collector);
    return {
      exchange: async (sent) => {
        send(into, sent);
        const returned: Uint8Array[] = [];
        const reports: Uint8Array[] = [];
        const isReport = (frame: Uint8Array): boolean =>
          viewPacket(frame)?.l4?.destinationPort === options.reportPort;
        const isReturned = mayBe(sent);
        await untilQuiet(options.waitMs, () => {
          for (const socket of opened.values()) {
            socket.ring.drain(FRAMES_AT_ONCE, (frame) => {
              if (socket === collector && isReport(frame)) reports.push(frame.slice());
              else if (socket === out && isReturned(frame)) returned.push(frame.slice());
            });
          }
          const isComplete = returned.length > 0 && (collector === undefined || reports.length > 0);
          return { count: returned.length + reports.length, isComplete };
        });
        return { sent, returned, ...(collector !== undefined && { reports }) };
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
