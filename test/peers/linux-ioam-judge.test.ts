import { hpccHere } from '../support/command-line';
import { verdictsOf } from '../support/judge/judge-interfaces';
import {
  KERNEL_DESTINATION,
  KERNEL_MAC,
  kernelHasIoam,
  makeKernelIoamRouter,
} from '../support/kernel-ioam';
import type { KernelIoamRouter } from '../support/kernel-ioam';
import { canMakeNamespaces } from '../support/live-network';
import { describeIf } from '../support/requires';

const NAMESPACE = 123;

describeIf(
  canMakeNamespaces() && kernelHasIoam(),
  'hpcc int judge --role ioam-transit against the Linux kernel',
  'needs root, and Linux and the ip command with IOAM',
  () => {
    let router: KernelIoamRouter;
    beforeAll(() => {
      router = makeKernelIoamRouter(NAMESPACE);
    });
    afterAll(() => router.remove());

    test('the kernel passes every clause for nodes of the pre-allocated trace', async () => {
      const flow = ['--from', '2001:db8:a::2', '--to', KERNEL_DESTINATION, '--to-mac', KERNEL_MAC];
      const ways = ['--in', router.ingress, '--out', router.egress, '--wait-ms', '100'];
      const device = ['--dut', 'interfaces', ...ways, '--ioam-namespace', String(NAMESPACE)];
      const role = ['--role', 'ioam-transit', '--json'];
      const judged = await hpccHere('int', 'judge', ...role, ...device, ...flow);
      const { failed, passed } = verdictsOf(judged.stdout);
      expect(failed).toEqual([]);
      expect(judged.status).toBe(0);
      expect(passed.size).toBe(27);
    }, 30_000);
  },
);
