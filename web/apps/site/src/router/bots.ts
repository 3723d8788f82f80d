const BOTS =
  /bot\b|crawler|spider|slurp|facebookexternalhit|embedly|quora link preview|outbrain|pinterest|vkshare|w3c_validator|mediapartners-google|google-inspectiontool|bingpreview|yahoo!|ia_archiver/i;

/** Whether a user agent is that of a search engine or a similar bot. */
export function isBot(userAgent: string): boolean {
  return BOTS.test(userAgent);
}
