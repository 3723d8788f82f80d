import { expect, test } from "vitest";
import { isBot } from "./bots";

test.each([
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (compatible; YandexBot/3.0)",
  "facebookexternalhit/1.1",
  "Twitterbot/1.0",
  "Mozilla/5.0 (compatible; Baiduspider/2.0)",
])("a bot is recognised: %s", (agent) => {
  expect(isBot(agent)).toBe(true);
});

test.each([
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
  "",
])("a person's browser is not a bot: %s", (agent) => {
  expect(isBot(agent)).toBe(false);
});
