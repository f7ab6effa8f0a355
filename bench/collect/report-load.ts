import { parseIpv4 } from '../../common/topology/topology';
import { checked, libc } from '../../common/io/net/libc';
import { BATCH, DatagramBatch } from '../../host-agent/io/net/datagram-batch';
import { socketAddress } from '../../host-agent/io/net/socket-address';
import { REPORT_FLOWS, reportOf, writeSequence } from './telemetry-reports';

/** JSON that the generator of reports prints when it has finished. */
export interface ReportLoad {
  readonly sent: number;
  readonly seconds: number;
}

const AF_INET = 2;
const SOCK_DGRAM = 2;
const PAUSE_MS = 1;
const DATAGRAM_BYTES = 512;
/** Reports after which a sender that is not paced looks at the time. */
const BURST = 16 * BATCH;

/** Reports of one node to a port of the loopback, 64 per system call. */
class ReportSender {
  sent = 0;
  readonly #fd = checked(libc().socket(AF_INET, SOCK_DGRAM, 0), 'opening a UDP socket');
  readonly #batch = new DatagramBatch(DATAGRAM_BYTES, 0);
  readonly #to: Uint8Array;
  readonly #reports = Array.from({ length: REPORT_FLOWS }, (_, flow) => reportOf(flow));

  constructor(port: number) {
    this.#to = socketAddress(parseIpv4('127.0.0.1') ?? 0, port);
  }

  /** Rounded up to whole batches. */
  send(count: number): void {
    for (let left = count; left > 0; left -= BATCH) this.#sendBatch();
  }

  #sendBatch(): void {
    for (let i = 0; i < BATCH; i++) {
      const report = this.#reports[(this.sent + i) % REPORT_FLOWS] as Buffer;
      writeSequence(report, this.sent + i);
      this.#batch.memory.bytes.set(report, this.#batch.slotAt(i));
      this.#batch.address(i, this.#to, { length: report.length, tos: 0 });
    }
    for (let next = 0; next < BATCH;) {
      const left = BATCH - next;
      next += checked(libc().sendmmsg(this.#fd, this.#batch.messages(next), left, 0), 'sending');
    }
    this.sent += BATCH;
  }
}

/** A process of its own. Arguments: port, seconds, reports per second (0: as fast as the kernel takes them). */
async function main([port = '0', seconds = '1', rate = '0']: readonly string[]): Promise<void> {
  const sender = new ReportSender(Number(port));
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  for (let now = 0; now < Number(seconds); now = elapsed()) {
    if (Number(rate) === 0) {
      sender.send(BURST);
      continue;
    }
    sender.send(Math.floor(now * Number(rate)) - sender.sent);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  process.stdout.write(JSON.stringify({ sent: sender.sent, seconds: elapsed() }));
}

void main(process.argv.slice(2));
