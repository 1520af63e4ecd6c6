package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.code.bound.Bound;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CodesTest {
  /** Stored stripes are read by these matrices: a value that changes here loses data. */
  @ParameterizedTest
  @CsvSource({
    "rs-3-2,6976219b6db0591e801fb0faa023d727f7725e76ef03d3c80149584befecb3f4",
    "rs-6-3,f281cb81d9a1a3cbfb9627107b21623b9057331300383eca96690bfe68c45b05",
    "rs-10-4,a1fa86b51002e8a530b84d93849b9c929717a0a53926fffa3ede5aadc4063737",
    "rs-12-4,82b622c0e155ca6dba165954452ee734391501a5bbd8a8d49036df72d367efbb",
    "rep-3,64b266b71b04736e4b8aa3905bfa638586fa1bb2ee34f9f669d17bcf6d447e97",
    "xor-2-1,8896e4287b31fa115990d8a70f0577a2cf4bbf19dbc434033a5655d00608ba93",
    "xor-4-1,be0898152c930548931648aa7de916267069311b068ef1de31b49b25282892f9",
    "xorbas-10-6-5,910c1f3db21dac5a7bf5d1595b9435f5ef9819eb49d8f223ea4d343eb7ac25d4",
    "mxor-10-7,b4f0300e59f4f14e84953f3630aaf8ad6bd6b5f4d9833579f4d34c3d22061ce2",
    "flr-n14-g4-l2,ccc0dd9ffc4e1113b121ecf8e8f412b36b6788decf2e29d3a86eb604888dd2b3",
    "hlr-n14-r8-g4-l1,6ab41c3e0832ec06a0e650f8b1afdc7e2deedc2d41c402eef00b63d54dbffaa5",
    "rotated-rs-6-2-4,08bcc1a698f7abfadaa834b812e9fa041a55a2a7623510120ebb69bcded2ab9c",
    "rotated-rs-6-3-4,d2b6527467d95602d7a1ac1a7cd6aee83be126f1e18d83f77c301621fd911c74",
    "rotated-rs-10-4-4,30753be8dd71a41a17b985bf9bf889b46ca2b1688102d3dce643193d6b47385f",
    "rotated-rs-12-4-4,cc50ee4b9d0e6c969a43efb34864c6b10cb1a58ecccfabbd655f03ec5b5a8dd0",
    "rotated-rs-6-3-3,66d2bc015aa4cbb27fba4cf04bf534052aac086a051326109228bf15947ffebb",
    "hitchhiker-xor-6-3,3c04e8fa26dfef0232e79b5de1e6ad91c18c435279dd3bb83e914c815ed8a81f",
    "hitchhiker-xor-10-4,978ce3349894427ecb7a622897bdcc2d044ba3f2e06b0b91368df82e2c752372",
    "clay-4-2-5,53c217fa9f5c53d97659affd0b225c99808dab8a3f0b9cb68fc3e369202e0ca3",
    "clay-6-3-8,040ca84ca4303ccb50185ed6bbc3afbf9e3f14117c573a92c9ccbf534b3c4ba0",
    "clay-8-4-11,f5d0e11eb02ab20bffd9a952cba6dee2a01918699e034f6998c354010436d7d8",
    "clay-4-3-5,fa83f61aa15d928743fa30458c1916d83061f441561542c52a7a3f95a1e436b8",
    "stair-n8-r4-m2-e1.1.2-l0,411cc2fd89280d06b7876da42eec93b733b675f661405ac3a59bc7e2fe6f72fc",
    "stair-n14-r8-m4-e0-l0,a8cbcdf5f0cddf5ebb54fdc7637d53e0823c7b7254fa0311d7e108635ac01a5c",
    "rstair-n5-r4-m1-e2-l1,cca2040fc4fdd39a1164c0818cab617e3fd4238f0a0bd564aa40944c9e58f54f",
    "rstair-n6-r5-m1-e2.4-l1,9d81565eb3be94fa9d9b372c1569f70ebf8cdc57bdbd91d6f9cc1a886eace7cc",
    "rstair-n14-r8-m1-e4.4.4-l1,46665bfeaf6667d2545275e0713de43127521d0fd23ddc8a5a8f2464de037a09",
    "rstair-n14-r8-m4-e0-l1,9016170820e0f94ff9aeb3a900ee47980436252a9250f64660a84914bd07082d",
    "lrc-10-2-2,30c5802d5f8299ed41a81f1366168e5847fbbce976deb9ba4600b7fa02ea5712",
    "lrc-12-2-2,cd244726f491ff738c78347915bfc8e4f9ee204e23f15f375968bec7b82881a7",
    "lrc-12-4-2,b999feece815434c2d10bc339072d44bb9c21f7c710c71247b0ee92cddabd255",
    "lrc-6-3-1,f2457b80bb144ebedec01a0e8f4d70af0729244e4ce29c642e88777efdaf98f4",
    "lrc-20-2-3,ea918241385d4c60429760dbce76f11a116fcd751f64385d343fe698385ca4d5",
    "lrc-24-3-3,ab0b0ab6a179fceb9c3587f97096f7ee269d1648e0cb298d8b7fdf249d40d469",
    "lrc-20-4-3,f762925e04ce714da5f602357e3cee706a38f71dc6d0f8ed48dd173f94565da4",
    "lrc-10-2-4,fb1b4f60f5f7eb63e176876995674bae41d24e1b2da86c472f9ec0a20111ced0",
    "lrc-24-2-3,f093d086c24a4e011715484de47e0c340f2d2e3435a57c3cef04eca745770fb3"
  })
  void goldenDigests(String name, String digest) {
    assertEquals(digest, Codes.digest(Codes.named(name)));
  }

  @ParameterizedTest
  @CsvSource({
    "rs-10-4",
    "rep-3",
    "xor-4-1",
    "xorbas-10-6-5",
    "mxor-10-7",
    "flr-n14-g4-l2",
    "hlr-n14-r8-g4-l1",
    "rotated-rs-6-3-4",
    "hitchhiker-xor-10-4",
    "clay-4-2-5",
    "clay-8-4-11",
    "clay-4-3-5",
    "clay-10-4-13",
    "stair-n8-r4-m2-e1.1.2-l0",
    "rstair-n6-r5-m1-e2.4-l1",
    "lrc-20-4-3"
  })
  void aNameTellsTheSizeOfAStripe(String name) {
    ErasureCode code = Codes.named(name);
    assertEquals(StripeSize.of(code.n(), code.alpha()), Codes.sizeOf(name));
  }

  @Test
  void theSizeOfAnInvalidNameIsSomeSize() {
    for (CodeFamily family : Codes.families()) {
      for (String parameters :
          List.of("", "-", "-999999999-999999999-999999999", "-99999999999999999999", "-x-1")) {
        assertTrue(Codes.sizeOf(family.prefix() + parameters).subBlocks() >= 0, family::toString);
      }
    }
    assertThrows(UnknownCodeException.class, () -> Codes.sizeOf("raid-5"));
  }

  @Test
  void theDigestSeesTheShapeAndEveryCoefficientButNotTheName() {
    int[][] rows = {{1, 1, 0, 0}, {0, 0, 1, 1}};
    String digest = Codes.digest(HandMade.of(4, 1, rows).named("one"));
    assertEquals(digest, Codes.digest(HandMade.of(4, 1, rows).named("other")));
    assertNotEquals(digest, Codes.digest(HandMade.of(2, 2, rows).named("one")));
    int[][] changed = {{1, 1, 0, 0}, {0, 0, 1, 2}};
    assertNotEquals(digest, Codes.digest(HandMade.of(4, 1, changed).named("one")));
  }

  @Test
  void everyFamilysExampleIsACodeOfThatFamily() {
    for (CodeFamily family : Codes.families()) {
      assertEquals(family.example(), Codes.named(family.example()).name());
      assertTrue(family.example().startsWith(family.prefix()), family::toString);
      assertTrue(family.pattern().startsWith(family.prefix()), family::toString);
      assertTrue(family.description().lines().count() == 1, family::toString);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "raid-5|;",
        "reed-solomon-6-3|;",
        "''|;",
        "-|;",
        "foo-6-3|; did you mean \"rs-6-3\"?",
        "rs6-3|; did you mean \"rs-6-3\"?",
        "lcr-10-2-2|; did you mean \"lrc-10-2-2\"?",
        "RS-12-4|; did you mean \"rs-12-4\"?",
        "RS-10-4-1024k|; did you mean \"rs-10-4\"?",
        "XOR-2-1-1024k|; did you mean \"xor-2-1\"?"
      })
  void ofUnknownFamiliesTheNearestNameAndTheListAreNamed(String name, String meant) {
    refused(
        name, "no code is named \"" + name + "\"" + meant + " braid codes list shows all families");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rs|it has 0 parameters, not 2",
        "rs-|it has 0 parameters, not 2",
        "rs-6|it has 1 parameter, not 2",
        "rs-6-3-1|it has 3 parameters, not 2",
        "rs-6-x|\"x\" is not a decimal number of at most 9 digits",
        "rs-6--3|it has 3 parameters, not 2",
        "rs-6-|\"\" is not a decimal number of at most 9 digits",
        "rs-6-99999999999|\"99999999999\" is not a decimal number of at most 9 digits",
        "rs-06-3|it is written rs-6-3",
        "rs-0-3|k = 0, Reed-Solomon needs at least 1 data block",
        "rs-3-0|m = 0, Reed-Solomon needs at least 1 parity block",
        "rs-200-100|k + m = 300, Reed-Solomon over GF(2^8) takes at most 255 blocks"
      })
  void malformedNamesGetTheReason(String name, String reason) {
    refused(
        name,
        "\""
            + name
            + "\" is not a code: "
            + reason
            + "; the pattern is rs-K-M, for example rs-6-3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rep|it has 0 parameters, not 1",
        "rep-3-2|it has 2 parameters, not 1",
        "rep-1|R = 1, replication needs at least 2 copies to survive a loss",
        "xor-4|it has 1 parameter, not 2",
        "xor-4-2|m = 2, XOR has exactly 1 parity block; rs-K-M has other counts",
        "xor-4-01|it is written xor-4-1",
        "xorbas-10-6|it has 2 parameters, not 3",
        "xorbas-10-6-4|k = 10 data blocks do not make whole groups of R = 4",
        "mxor-10-6|P = 6, but 10 data blocks make c + 2 = 7 parities, 5 vertical and 2 horizontal",
        "flr|it has 0 parameters, not 3",
        "flr-14-4-2|\"14\" should be n and a number",
        "flr-n14-l2-g4|\"l2\" should be g and a number",
        "flr-n14-g4-lx|\"x\" is not a decimal number of at most 9 digits",
        "flr-n14-g4-l|\"\" is not a decimal number of at most 9 digits",
        "flr-n014-g4-l2|it is written flr-n14-g4-l2",
        "hlr-n14-r8-g4|it has 3 parameters, not 4",
        "hlr-n14-r8-g14-l1|g = 14, but 1 <= g < n = 14 racks may hold cross-rack parity"
      })
  void malformedNamesOfOtherFamiliesGetTheReasonAndTheirPattern(String name, String reason) {
    String prefix = name.split("-", 2)[0];
    CodeFamily family =
        Codes.families().stream().filter(f -> f.prefix().equals(prefix)).findAny().orElseThrow();
    refused(
        name,
        "\""
            + name
            + "\" is not a code: "
            + reason
            + "; the pattern is "
            + family.pattern()
            + ", for example "
            + family.example());
  }

  @Test
  void boundsStandInTheRegistryUnderTheirOwnNames() {
    assertEquals(
        Codes.bounds().size(), Codes.bounds().stream().map(Bound::name).distinct().count());
    for (Bound bound : Codes.bounds()) {
      assertTrue(bound.name().matches("bound-[a-z-]+"), bound::name);
      assertTrue(bound.description().lines().count() == 1, bound::name);
      assertTrue(Codes.families().stream().noneMatch(f -> bound.name().startsWith(f.prefix())));
    }
  }

  private static void refused(String name, String message) {
    assertEquals(
        message, assertThrows(UnknownCodeException.class, () -> Codes.named(name)).getMessage());
  }
}
