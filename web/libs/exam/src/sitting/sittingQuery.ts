import { PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { deviceId } from "../device/deviceId";
import { sittingApi } from "./protocol/sittingApi";

/** A sitting that was handed in: it never changes again. */
export const sittingQuery = (id: string) =>
  queryOptions({
    queryKey: [...PERSONAL, "sitting", id],
    queryFn: () => sittingApi.find(id, deviceId()),
  });
