import { expect, test } from "vitest";
import { partsIn, renditionsIn } from "./playlist";

const base = "https://konomana.example/api/media/ticket/lesson/7/master.m3u8";

const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=700000,RESOLUTION=1280x720,CODECS="avc1.42c01f,mp4a.40.2"
720p/index.m3u8
#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=200000,BANDWIDTH=300000,RESOLUTION=640x360,CODECS="avc1.42c016"
360p/index.m3u8
`;

test("sizes are told from the smallest, with what they need and are made of", () => {
  const folder = "https://konomana.example/api/media/ticket/lesson/7";
  expect(renditionsIn(master, base)).toEqual([
    {
      url: `${folder}/360p/index.m3u8`,
      bandwidth: 300_000,
      height: 360,
      type: 'video/mp4; codecs="avc1.42c016"',
    },
    {
      url: `${folder}/720p/index.m3u8`,
      bandwidth: 900_000,
      height: 720,
      type: 'video/mp4; codecs="avc1.42c01f,mp4a.40.2"',
    },
  ]);
  expect(renditionsIn(master.replaceAll("\n", "\r\n"), base)).toHaveLength(2);
  expect(renditionsIn("<html>", base)).toEqual([]);
});

const list = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:25
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="init.mp4"
#EXTINF:22.000,
0.m4s
#EXTINF:2.5,a title
1.m4s
#EXT-X-ENDLIST
`;

test("parts follow one another", () => {
  const at = "https://konomana.example/360p/index.m3u8";
  expect(partsIn(list, at)).toEqual({
    init: "https://konomana.example/360p/init.mp4",
    parts: [
      { url: "https://konomana.example/360p/0.m4s", from: 0, to: 22 },
      { url: "https://konomana.example/360p/1.m4s", from: 22, to: 24.5 },
    ],
  });
});

test.each([
  ["encrypted", list.replace("#EXTINF:22", '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:22')],
  ["in one file", list.replace("0.m4s", "#EXT-X-BYTERANGE:100@0\n0.m4s")],
  ["still growing", list.replace("#EXT-X-ENDLIST\n", "")],
  ["without a beginning", list.replace(/#EXT-X-MAP.*\n/, "")],
  ["no list", "<html>"],
])("what is %s is not played as something else", (_, text) => {
  expect(() => partsIn(text, base)).toThrow("not one of ours");
});
