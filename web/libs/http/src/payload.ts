import { payloadPath } from "@konomana/paths";

/**
 * Reads the data file of a prerendered page; null if there is none. It checks the content type,
 * because a server may answer an unknown path with an HTML page.
 */
export async function readPayload<Data>(path: string, signal: AbortSignal): Promise<Data | null> {
  try {
    const response = await fetch(payloadPath(path), { signal });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return response.ok && isJson ? ((await response.json()) as Data) : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
