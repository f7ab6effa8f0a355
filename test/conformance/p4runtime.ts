import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { RawController } from '../support/p4runtime/raw-controller';
import { SAMPLE_PROGRAM, sampleProgram } from '../support/p4runtime/sample-program';
import { describeIf } from '../support/requires';
import { p4RuntimeArbitration } from './p4runtime-arbitration';
import { p4RuntimeActionProfiles } from './p4runtime-action-profiles';
import { p4RuntimeEntities } from './p4runtime-entities';
import { p4RuntimeExterns } from './p4runtime-externs';
import { p4RuntimePackets } from './p4runtime-packets';
import { p4RuntimeReplication } from './p4runtime-replication';
import { sampleConfig, sampleP4Info } from './p4runtime-target';
import type { P4RuntimeTarget, P4RuntimeTraits, StartTarget } from './p4runtime-target';

const Action = p4.SetForwardingPipelineConfigRequestAction;
const ResponseType = p4.GetForwardingPipelineConfigRequestResponseType;

/** What every P4Runtime server must do (P4Runtime 1.5.0). */
export function p4RuntimeConformance(
  name: string,
  start: StartTarget,
  traits: P4RuntimeTraits,
): void {
  describe(`P4Runtime on ${name}`, () => {
    pipelineSuite(start, traits);
    p4RuntimeArbitration(start, traits);
    p4RuntimeEntities(start);
    p4RuntimeActionProfiles(start);
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
      target = await start();
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
      return response.hasConfig ? response.config.cookie.cookie : undefined;
    };

    test('the version is told, for the server and for its devices, and unknown devices are not found', async () => {
      expect(await controller.capabilities(0n)).toBe(traits.apiVersion);
      expect(await controller.capabilities(target.deviceId)).toBe(traits.apiVersion);
      expect(await controller.capabilities(target.deviceId + 1n)).toBe('NOT_FOUND');
    });

    test('reads and writes fail before the first configuration, which is unset', async () => {
      expect((await controller.write(1n, [])).code).toBe('FAILED_PRECONDITION');
      const { status } = await controller.read([]);
      expect(status.code).toBe('FAILED_PRECONDITION');
      expect(await cookieNow()).toBeUndefined();
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
      expect((await controller.write(1n, [])).code).toBe('FAILED_PRECONDITION');
    });

    test('a saved configuration runs once it is committed', async () => {
      const saved = sampleConfig(SAMPLE_PROGRAM, '7');
      expect((await controller.setPipeline(1n, Action.VERIFY_AND_SAVE, saved)).code).toBe('OK');
      expect(await cookieNow()).toBeUndefined();
      expect((await controller.setPipeline(1n, Action.COMMIT)).code).toBe('OK');
      expect(await cookieNow()).toBe('7');
      expect((await controller.write(1n, [])).code).toBe('OK');
    });

    test('COMMIT wants a saved configuration and no other', async () => {
      expect((await controller.setPipeline(1n, Action.COMMIT)).code).toBe('NOT_FOUND');
      const status = await controller.setPipeline(1n, Action.COMMIT, sampleConfig());
      expect(status.code).toBe('INVALID_ARGUMENT');
    });

    test('a configuration without action, P4Info or program is refused', async () => {
      const codes = [];
      const empty = new p4.ForwardingPipelineConfig({ p4info: sampleP4Info() });
      codes.push(await controller.setPipeline(1n, Action.UNSPECIFIED, sampleConfig()));
      codes.push(await controller.setPipeline(1n, Action.VERIFY));
      codes.push(await controller.setPipeline(1n, Action.VERIFY_AND_COMMIT, empty));
      codes.push(await controller.setPipeline(1n, Action.VERIFY_AND_COMMIT, sampleConfig('{')));
      expect(codes.map((each) => each.code)).toEqual(new Array(4).fill('INVALID_ARGUMENT'));
    });

    test('only the primary may configure', async () => {
      const status = await controller.setPipeline(2n, Action.VERIFY_AND_COMMIT, sampleConfig());
      expect(status.code).toBe('PERMISSION_DENIED');
    });

    describeIf(traits.checksP4Info, 'P4Info check', 'this server does not check P4Info', () => {
      test('a P4Info of another program is refused, and the running program stays', async () => {
        const running = sampleConfig(SAMPLE_PROGRAM, '1');
        await controller.setPipeline(1n, Action.VERIFY_AND_COMMIT, running);
        const text = JSON.stringify(sampleProgram()).replace('"max_size":512', '"max_size":256');
        const status = await controller.setPipeline(
          1n,
          Action.VERIFY_AND_COMMIT,
          sampleConfig(text, '2'),
        );
        expect(status).toEqual({
          code: 'INVALID_ARGUMENT',
          message: "table 'egress.port_record': size: 512 in P4Info, 256 in program",
        });
        expect(await cookieNow()).toBe('1');
      });
    });
  });
}
