// SPDX-License-Identifier: Apache-2.0

@testable import InputDevices
import Testing

@Suite struct NodePolicyTests {
  private func facts(_ change: (inout NodePolicy.Facts) -> Void) -> NodePolicy.Facts {
    var facts = NodePolicy.Facts()
    facts.isInput = true
    change(&facts)
    return facts
  }

  private func isOpened(_ change: (inout NodePolicy.Facts) -> Void) -> Bool {
    NodePolicy.decide(facts(change)) == .open
  }

  @Test func `surfaces are opened`() {
    #expect(isOpened { $0.isTouchscreen = true })
    #expect(isOpened { $0.isTouchpad = true })
    #expect(isOpened { $0.isTablet = true })
  }

  @Test func `keyboards are not, unless the node is a surface too`() {
    #expect(!isOpened { $0.isKeyboard = true })
    #expect(
      !isOpened {
        $0.isKeyboard = true
        $0.isMouse = true
        $0.hasAbsolutePosition = true
      })
    // Its keys are masked instead: a panel must not be lost for the keys beside it.
    #expect(
      isOpened {
        $0.isKeyboard = true
        $0.isTouchscreen = true
      })
  }

  @Test func `a mouse is of use only where its position is absolute`() {
    #expect(!isOpened { $0.isMouse = true })
    #expect(
      isOpened {
        $0.isMouse = true
        $0.hasAbsolutePosition = true
      })
    #expect(
      !isOpened {
        $0.isMouse = true
        $0.isRelativePointer = true
        $0.hasAbsolutePosition = true
      })
  }

  @Test func `other nodes stay closed and say why`() {
    #expect(!isOpened { _ in })
    #expect(
      !isOpened {
        $0.isTablet = true
        $0.isTabletPad = true
      })
    #expect(
      !isOpened {
        $0.isTouchscreen = true
        $0.isIgnored = true
      })
    guard case .refuse(let reason) = NodePolicy.decide(NodePolicy.Facts()) else {
      Issue.record("a node without ID_INPUT was opened")
      return
    }
    #expect(reason.contains("udevadm trigger"))
  }

  @Test func `hardware is recognised by any key, never by an empty one`() {
    let touch = PhysicalIdentity(group: "3/222a/1:usb-1", usbDevice: "/sys/usb1", place: "a b")
    #expect(touch.isSame(as: PhysicalIdentity(group: "3/222a/1:usb-1")))
    #expect(touch.isSame(as: PhysicalIdentity(usbDevice: "/sys/usb1")))
    #expect(touch.isSame(as: PhysicalIdentity(place: "a b")))
    #expect(!touch.isSame(as: PhysicalIdentity(group: "3/222a/1:usb-2", usbDevice: "/sys/usb2")))
    #expect(!PhysicalIdentity().isSame(as: PhysicalIdentity()))
    #expect(!PhysicalIdentity(group: "").isSame(as: PhysicalIdentity(group: "")))
  }

  @Test func `nodes of one device share their place, other products do not`() {
    func place(_ phys: String, _ product: String = "0001") -> String? {
      PhysicalIdentity.place(phys: phys, vendor: "222a", product: product)
    }
    #expect(place("usb-0000:00:14.0-3/input0") == place("usb-0000:00:14.0-3/input1"))
    #expect(place("usb-0000:00:14.0-3/input0") != place("usb-0000:00:14.0-4/input0"))
    // Some drivers give every device the same place.
    #expect(place("input/ts", "0001") != place("input/ts", "0002"))
    #expect(place("") == nil)
  }
}
