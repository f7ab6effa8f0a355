import { CABLE_RECEIVER, withCable } from '../../../../../bench/live/cable';
import { withHostProcesses } from '../../../../../bench/live/host-star';
import { inNamespace } from '../../../../../bench/live/test-bed';
import type { Leg } from '../../../../../bench/live/test-bed';
import { canMakeNamespaces } from '../../../../support/live-network';
import { PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';
import { sampled } from '../../../../support/sampled';

const ROOT = 'needs root and the ip command to make network namespaces';
const SECONDS = '3';
/**
 * Most optimizations that V8 aborts: it may begin once more with what it has learnt, but not for as long as
 * packets come.
 */
const ABORTED_MAX = 20;
const TUNING = ['--link-rate-bps', '10G', '--base-rtt-us', '300'];

/** V8's log of its optimizing while hosts send, by host. */
async function optimizing(options: readonly string[]): Promise<readonly string[]> {
  return withCable((near, far) =>
    withHostProcesses(async (start) => {
      const command = (leg: Leg, argv: readonly string[]): string[] => {
        const program = [process.execPath, '--trace-opt', PROGRAM, ...argv];
        return inNamespace(leg, [...program, '-i', leg.inner, ...TUNING, ...options]);
      };
      const receiver = start(command(near, ['agent']));
      await receiver.logged(/"msg":"ready"/);
      const sender = start(command(far, ['send', CABLE_RECEIVER, '--json', '-t', SECONDS]));
      const sent = await sender.ended;
      const received = await receiver.stop();
      // A cable tells no telemetry, and flows without control end so.
      expect([sent.code, received.code]).toEqual([1, 0]);
      return [sent.stdout, received.stdout];
    }),
  );
}

describeIf(canMakeNamespaces(), 'what handles packets', ROOT, () => {
  const KINDS = [
    ['acknowledgements', []],
    ['notifications', ['--return', 'notification']],
    ['UDP sockets', ['--transport', 'udp']],
  ] as const;
  test.each(sampled('kinds of hosts', KINDS, 3))(
    'is not compiled again and again in vain, with %s',
    async (_, options) => {
      for (const text of await optimizing(options)) {
        const lines = text.split('\n');
        const started = (word: string): string[] => lines.filter((each) => each.startsWith(word));
        expect(started('[completed optimizing').length).toBeGreaterThan(20);
        const aborted = started('[aborted optimizing');
        const names = aborted.map((line) => /<JSFunction (\S+)/.exec(line)?.[1]);
        expect(names.length > ABORTED_MAX ? names : []).toEqual([]);
      }
    },
  );
});
