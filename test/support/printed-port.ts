import * as net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** An abstract socket of Linux, which ends with its process. */
const LOCK = '\0hpcc-test-9559';
const RETRY_MS = 100;

/**
 * Waits for the turn of a suite that types what pages print, whose switches listen at 127.0.0.1:9559: a suite
 * beside it would find the other one's switch there.
 * @returns what ends the turn.
 */
export async function turnAtPrintedPort(): Promise<() => void> {
  for (;;) {
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(LOCK, () => resolve(true));
    });
    if (isFree) return () => server.close();
    await sleep(RETRY_MS);
  }
}
