import { PacketSocket } from '../../common/io/net/packet-socket';
import { WaitSet } from '../../common/io/loop/wait-set';
import { HPCC_ACK, HPCC_DATA } from '../../common/wire/hpcc/hpcc-transport';
import { parseFrame } from '../../host-agent/transport/frames/received-frame';

/** A frame of data, or an acknowledgement, that has come. */
export interface FrameTime {
  /** Timestamp of the kernel, in ns since 1970. */
  readonly at: number;
  /** The byte behind what it brings; of an acknowledgement, the next one that is expected. */
  readonly end: number;
}

const BATCH = 64;
const NAP_NS = 1_000_000;
const MS_PER_SECOND = 1000;

/**
 * A process of its own, to run inside a namespace: `INTERFACE SECONDS ADDRESS` prints what came for
 * the address, a number, of data and acknowledgements, as JSON. How late this process gets its turn
 * does not count.
 */
function main([name = '', seconds = '1', address = '0']: readonly string[]): void {
  const socket = PacketSocket.open(name);
  const waiting = new WaitSet();
  const times: FrameTime[] = [];
  const endsAt = performance.now() + MS_PER_SECOND * Number(seconds);
  while (performance.now() < endsAt) {
    const count = socket.ring.drain(BATCH, (bytes) => {
      const frame = parseFrame({ bytes, length: bytes.length }, Number(address));
      if ('reason' in frame) return;
      const { type, sequence, length } = frame.transport;
      if (type !== HPCC_DATA && type !== HPCC_ACK) return;
      times.push({
        at: socket.ring.arrivedAt,
        end: type === HPCC_DATA ? sequence + length : sequence,
      });
    });
    if (count < BATCH) waiting.nap(NAP_NS);
  }
  socket.close();
  waiting.close();
  process.stdout.write(JSON.stringify(times));
}

if (require.main === module) main(process.argv.slice(2));
