import { bmv2Json } from '../../../../../switch/server/pipeline/device-config';

const JSON_TEXT = '{"program": "a.p4"}';
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const text = Buffer.from(JSON_TEXT);

describe('the p4_device_config of a pipeline', () => {
  test.each<[string, Uint8Array]>([
    ['bare', text],
    ['behind white space', Buffer.from(`\n ${JSON_TEXT}`)],
    ['as device_data', Buffer.concat([bytes(0x1a, text.length), text])],
    ['as the tutorials send it', Buffer.concat([bytes(0x08, 1, 0x1a, text.length), text])],
    ['behind extras', Buffer.concat([bytes(0x12, 2, 0x0a, 0, 0x1a, text.length), text])],
  ])('is BMv2 JSON, %s', (_, config) => {
    expect(bmv2Json(config).trim()).toBe(JSON_TEXT);
  });

  test.each<[string, Uint8Array, string]>([
    ['nothing', bytes(), 'p4_device_config is empty; it is the BMv2 JSON'],
    ['a message without device_data', bytes(0x08, 1), 'p4_device_config is not the BMv2 JSON, or'],
    [
      'a message cut short',
      bytes(0x08, 1, 0x1a, 200, 1),
      'p4_device_config is not the BMv2 JSON, or',
    ],
  ])('is refused when it is %s', (_, config, message) => {
    expect(() => bmv2Json(config)).toThrow(message);
  });
});
