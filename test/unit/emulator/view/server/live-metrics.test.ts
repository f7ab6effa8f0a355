import * as http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { NetworkIndex } from '../../../../../emulator/view/network/network-index';
import { liveMetrics } from '../../../../../emulator/view/server/live-metrics';

/** A switch that counts on at every question, until it falls silent. */
async function aSwitch() {
  let [sent, isSilent] = [1000, false];
  const server = http.createServer((_request, response) => {
    if (isSilent) return;
    sent += 1000;
    response.end(
      `hpcc_switch_bytes_total{port="1",direction="sent"} ${sent}\n` +
        'hpcc_switch_queue_bytes{port="1"} 64\n' +
        'hpcc_switch_link_bytes_per_second{port="1"} 1250000\n',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    silence: () => (isSilent = true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('one that falls silent is named, and holds up no other', async () => {
  const switches = await Promise.all([aSwitch(), aSwitch()]);
  const targets = switches.map(({ address }, i) => ({ name: `s${i + 1}`, address }));
  const stop = new AbortController();
  const asked = { targets, topology: undefined, command: './hpcc view --live' };
  const { session, over } = await liveMetrics(asked, stop.signal);
  let status = '';
  const end = session.follow?.({ page: () => undefined, status: (text) => (status = text) });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const loadOf = (node: number): number => {
    const { run } = session.page();
    const links = run === undefined ? [] : new NetworkIndex(run.network).links;
    const sent = links.find(({ name }) => name.startsWith(`s${node + 1}:1->`));
    return (sent?.series?.load ?? []).reduce((sum, load) => sum + load, 0);
  };
  await until(() => loadOf(0) > 0 && loadOf(1) > 0);
  expect(status).toMatch(/^live, 0\.\d\d s behind$/);

  switches[1]?.silence();
  await until(() => status === 'no answer from s2');
  const [first, durationUs] = [loadOf(0), session.page().run?.durationUs ?? 0];
  await until(() => loadOf(0) > first && (session.page().run?.durationUs ?? 0) > durationUs);

  end?.();
  stop.abort();
  await over;
  switches.forEach(({ close }) => close());
});

test('one that does not answer at first is refused', async () => {
  const [only] = [await aSwitch()];
  only.close();
  const targets = [{ name: 's1', address: only.address }];
  const { signal } = new AbortController();
  await expect(liveMetrics({ targets, topology: undefined, command: '' }, signal)).rejects.toThrow(
    'no metrics of s1 at http://',
  );
});
