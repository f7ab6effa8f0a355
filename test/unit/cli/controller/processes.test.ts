import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import * as readline from 'node:readline';
import { keptCommand } from '../../../support/own-command';
import { ServedNetwork } from '../../../support/controller/served-network';

/** Generous: a loaded machine is slow. */
interface LogLine {
  readonly msg: string;
  readonly switch?: string;
  readonly port?: number;
}

describe('the controller as a process', () => {
  let network: ServedNetwork;
  let child: ChildProcessWithoutNullStreams | undefined;

  beforeEach(async () => {
    network = await ServedNetwork.start(1);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await network.stop();
  });

  const start = (...argv: readonly string[]): ChildProcessWithoutNullStreams => {
    child = spawn(process.execPath, keptCommand('controller', ...argv));
    return child;
  };

  test('watches until it is interrupted, logs JSON lines and serves metrics', async () => {
    const watch = start('watch', network.document(), '--metrics', '127.0.0.1:0');
    const lines: LogLine[] = [];
    for await (const line of readline.createInterface({ input: watch.stderr })) {
      lines.push(JSON.parse(line) as LogLine);
      if (lines.at(-1)?.msg === 'reconciled') break;
    }
    const port = lines.find(({ msg }) => msg === 'metrics are served')?.port;
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('hpcc_controller_in_sync{switch="s1"} 1');
    const kinds = lines.filter(({ switch: name }) => name === 's1').map(({ msg }) => msg);
    expect(kinds).toEqual(['connected', 'primary', 'reconciled']);
    watch.kill('SIGTERM');
    expect(await once(watch, 'exit')).toEqual([0, null]);
    expect(network.sizes('ingress.ipv4_route')).toEqual([2]);
  });

  test('reads lines in the shell until the input ends', async () => {
    const shell = start('shell', network.document());
    shell.stdin.end('apply\nread ipv4_route\nuse s9\n');
    let text = '';
    for await (const part of shell.stdout) text += String(part);
    expect(text).toContain('ingress.ipv4_route (hdr.ipv4.dst_addr = 10.0.0.2/32): member 3');
    expect(text).toContain("there is no switch 's9'");
    expect(shell.exitCode ?? (await once(shell, 'exit'))[0]).toBe(0);
  });

  test('tells a plan with changes by exit code 2', async () => {
    const plan = start('plan', network.document());
    plan.stdout.resume();
    expect(await once(plan, 'exit')).toEqual([2, null]);
  });
});
