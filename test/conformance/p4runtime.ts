import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import { RawController } from '../support/p4runtime/raw-controller';
import { SAMPLE_PROGRAM, sampleProgram } from '../support/p4runtime/sample-program';
import { p4RuntimeArbitration } from './p4runtime-arbitration';
import { p4RuntimeActionProfiles } from './p4runtime-action-profiles';
import { p4RuntimeEntities } from './p4runtime-entities';
import { p4RuntimeExterns } from './p4runtime-externs';
import { p4RuntimePackets } from './p4runtime-packets';
import { p4RuntimeReplication } from './p4runtime-replication';
import { sampleConfig, sampleP4Info } from './p4runtime-target';
import type { P4RuntimeTarget, StartTarget } from './p4runtime-target';

const Action = p4.SetForwardingPipelineConfigRequestAction;
const ResponseType = p4.GetForwardingPipelineConfigRequestResponseType;

/** Tests the behaviour required of every P4Runtime server (P4Runtime 1.5.0). */
export function p4RuntimeConformance(
  name: string,
  start: StartTarget,
  traits: P4RuntimeTraits,
): void {
  describe(`P4Runtime on ${name}`, () => {
    pipelineSuite(start, traits);
    p4RuntimeArbitration(start, traits);
    p4RuntimeEntities(start, traits);
    p4RuntimeActionProfiles(start, traits);
    p4RuntimeExterns(start, traits);
    p4RuntimeReplication(start, traits);
    p4RuntimePackets(start, traits);
  });
}

function pipelineSuite(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('pipeline configuration', () => {
    let target: P4RuntimeTarget;
    let controller: RawController;

    beforeEach(async () => {
      target = await start('blank');
      controller = new RawController(target.address, target.deviceId);
      await controller.bidAndWait(1n);
    });

    afterEach(async () => {
      controller.close();
      await target.stop();
    });

    const cookieNow = async (): Promise<string | undefined> => {
      const response = await controller.getPipeline(ResponseType.COOKIE_ONLY);
      if (!(response instanceof p4.GetForwardingPipelineConfigResponse)) return response.code;
      if (!response.hasConfig) return undefined;
      return response.config.hasCookie ? response.config.cookie.cookie : 'none';
    };

    test('the version is told, for the server and for its devices, and unknown devices are not found', async () => {
      const version = traits.answer('the version', '1.5.0');
      expect(await controller.capabilities(0n)).toBe(version);
      expect(await controller.capabilities(target.deviceId)).toBe(version);
      const unknown = traits.answer('the version of an unknown device', 'NOT_FOUND');
      expect(await controller.capabilities(target.deviceId + 1n)).toBe(unknown);
    });

    test('reads and writes fail before the first configuration, which is unset', async () => {
      expect((await controller.write(1n, [])).code).toBe('FAILED_PRECONDITION');
      const { status } = await controller.read([]);
      expect(status.code).toBe('FAILED_PRECONDITION');
      const before = traits.answer<string | undefined>(
        'a configuration before the first',
        undefined,
      );
      expect(await cookieNow()).toBe(before);
    });

    test('a committed configuration is returned as it came, in the parts asked for', async () => {
      const config = sampleConfig(SAMPLE_PROGRAM, '18446744073709551615');
      expect(await controller.setPipeline(1n, Action.VERIFY_AND_COMMIT, config)).toEqual({
        code: 'OK',
        message: '',
      });
      const parts = async (type: p4.GetForwardingPipelineConfigRequestResponseType) => {
        const response = await controller.getPipeline(type);
        if (!(response instanceof p4.GetForwardingPipelineConfigResponse)) return response;
        const { hasP4info, p4DeviceConfig, cookie } = response.config;
        return [
          hasP4info,
          Buffer.from(p4DeviceConfig).toString() === SAMPLE_PROGRAM,
          cookie.cookie,
        ];
      };
      const cookie = '18446744073709551615';
      expect(await parts(ResponseType.ALL)).toEqual([true, true, cookie]);
      expect(await parts(ResponseType.COOKIE_ONLY)).toEqual([false, false, cookie]);
      expect(await parts(ResponseType.P4INFO_AND_COOKIE)).toEqual([true, false, cookie]);
      expect(await parts(ResponseType.DEVICE_CONFIG_AND_COOKIE)).toEqual([false, true, cookie]);
    });

    test('VERIFY changes nothing', async () => {
      expect((await controller.setPipeline(1n, Action.VERIFY, sampleConfig())).code).toBe('OK');
      const after = traits.answer('a write after VERIFY', 'FAILED_PRECONDITION');
      expect((await controller.write(1n, [])).code).toBe(after);
      const cookie = traits.answer<string | undefined>('a cookie after VERIFY', undefined);
      expect(await cookieNow()).toBe(cookie);
    });

    test('a saved configuration runs once it is committed', async () => {
      const saved = sampleConfig(SAMPLE_PROGRAM, '7');
      expect((await controller.setPipeline(1n, Action.VERIFY_AND_SAVE, saved)).code).toBe('OK');
      expect(await cookieNow()).toBe(
        traits.answer<string | undefined>('the cookie of a saved configuration', undefined),
      );
      expect((await controller.setPipeline(1n, Action.COMMIT)).code).toBe('OK');
      expect(await cookieNow()).toBe('7');
      expect((await controller.write(1n, [])).code).toBe('OK');
    });

    test('COMMIT wants a saved configuration and no other', async () => {
      const without = traits.answer('COMMIT without a saved configuration', 'NOT_FOUND');
      expect((await controller.setPipeline(1n, Action.COMMIT)).code).toBe(without);
      const status = await controller.setPipeline(1n, Action.COMMIT, sampleConfig());
      const withOne = traits.answer('COMMIT with a configuration', 'INVALID_ARGUMENT');
      expect(status.code).toBe(withOne);
    });

    const empty = new p4.ForwardingPipelineConfig({ p4info: sampleP4Info() });
    test.each([
      ['without an action', Action.UNSPECIFIED, sampleConfig()],
      ['without a configuration', Action.VERIFY, undefined],
      ['without a program', Action.VERIFY_AND_COMMIT, empty],
      ['with a broken program', Action.VERIFY_AND_COMMIT, sampleConfig('{')],
    ])('a push %s is refused', async (what, action, config) => {
      const { code } = await controller.setPipeline(1n, action, config);
      expect(code).toBe(traits.answer(`a push ${what}`, 'INVALID_ARGUMENT'));
    });

    test('only the primary may configure', async () => {
      const status = await controller.setPipeline(2n, Action.VERIFY_AND_COMMIT, sampleConfig());
      expect(status.code).toBe('PERMISSION_DENIED');
    });

    test('a P4Info of another program is refused, and the running program stays', async () => {
      const running = sampleConfig(SAMPLE_PROGRAM, '1');
      await controller.setPipeline(1n, Action.VERIFY_AND_COMMIT, running);
      const text = JSON.stringify(sampleProgram()).replace('"max_size":512', '"max_size":256');
      const other = sampleConfig(text, '2');
      expect(await controller.setPipeline(1n, Action.VERIFY_AND_COMMIT, other)).toEqual(
        traits.answer('a P4Info of another program', {
          code: 'INVALID_ARGUMENT',
          message: "table 'egress.port_record': size: 512 in P4Info, 256 in program",
        }),
      );
      const cookie = traits.answer('the cookie after a P4Info of another program', '1');
      expect(await cookieNow()).toBe(cookie);
    });
  });
}
