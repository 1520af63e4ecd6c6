package org.braid.cli.codes;

import java.util.List;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;

/** The codes that a command line names. */
final class Named {
  private Named() {}

  /**
   * The codes of some names, or an example of each family where there are none.
   *
   * <p>Names are not read by the parser: of a list that may be empty it takes a wrong one for a
   * word too many, and the reason would be lost.
   *
   * @throws org.braid.code.UnknownCodeException when a name is no good
   */
  static List<ErasureCode> codes(List<String> names) {
    List<String> chosen =
        names.isEmpty() ? Codes.families().stream().map(CodeFamily::example).toList() : names;
    return chosen.stream().map(Codes::named).toList();
  }
}
