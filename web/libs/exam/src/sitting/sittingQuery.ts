import { PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { deviceId } from "../device/deviceId";
import { sittingApi } from "./protocol/sittingApi";

/** A handed-in sitting. It never changes. */
export const sittingQuery = (id: string) =>
  queryOptions({
    queryKey: [...PERSONAL, "sitting", id],
    queryFn: () => sittingApi.find(id, deviceId()),
  });
